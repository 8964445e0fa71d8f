import { createReadStream, existsSync, statSync } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileHandle } from 'node:fs/promises'
import { makePrivateFolder, PRIVATE_FILE } from '../../run/files/private-folder.ts'
import { NoBackup, reasonOf } from './no-backup.ts'
import { isAutomatic } from './retention.ts'
import type { BackupStore } from './store.ts'

const UNFINISHED = '.part'

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

export const folderStore = (folder: string): BackupStore => ({
  place: folder,

  async list() {
    if (!isFolder(folder)) return []
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isFile() && !entry.name.endsWith(UNFINISHED) ? [entry.name] : []))
  },

  async write(name, content) {
    const path = join(folder, name)
    if (existsSync(path)) throw new NoBackup(`${path} already exists. Name a new file.`)
    const draft = path + UNFINISHED
    let file: FileHandle | null = null
    try {
      if (existsSync(draft))
        throw new NoBackup(`${draft} is left of a backup that was interrupted. Delete it, or name another file.`)
      makePrivateFolder(folder)
      file = await open(draft, 'wx', PRIVATE_FILE)
    } catch (error) {
      if (error instanceof NoBackup) throw error
      throw new NoBackup(`${path} cannot be written: ${reasonOf(error)}.`, { cause: error })
    }
    try {
      for await (const bytes of content) {
        await file.writeFile(bytes).catch((error: unknown) => {
          throw new NoBackup(`${path} cannot be written: ${reasonOf(error)}.`, { cause: error })
        })
      }
      await file.sync()
      await file.close()
      await rename(draft, path)
    } catch (error) {
      await file.close().catch(() => undefined)
      await rm(draft, { force: true })
      throw error
    }
    // The name is on the disk only after its folder is.
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },

  read: async (name, partBytes = 1 << 20) => createReadStream(join(folder, name), { highWaterMark: partBytes }),

  remove: (name) => rm(join(folder, name), { force: true }),

  async removeUnfinished() {
    if (!isFolder(folder)) return
    for (const name of await readdir(folder)) {
      // Files of the operator are never deleted.
      const isUnfinished = name.endsWith(UNFINISHED) && isAutomatic(name.slice(0, -UNFINISHED.length))
      if (isUnfinished) await rm(join(folder, name), { force: true })
    }
  },
})
