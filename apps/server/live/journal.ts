import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'

const item = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('group'), id: z.string(), group: z.string() }),
  z.strictObject({ kind: z.literal('directoryUser'), id: z.string(), signInName: z.string() }),
  z.strictObject({ kind: z.literal('awsUser'), id: z.string(), username: z.string() }),
])

const remaining = z.strictObject({ at: z.string(), thing: item, since: z.number().default(0) })

/** A resource at a provider that must be deleted at the end. Deleting a group deletes its content. */
export type LiveResource = z.infer<typeof item>

/**
 * Resource with its account, and the time from which the resource may exist, in milliseconds by this machine's clock.
 */
export type LeftResource = z.infer<typeof remaining>

export type CloudAccounts = Readonly<Record<LiveResource['kind'], string>>

export interface Journal {
  resources(): readonly LeftResource[]
  /**
   * Records a resource. Returns when the entry is on disk, so that a kill right afterwards leaves no unknown resource.
   */
  recordBeforeCreate(resource: LiveResource): void
  recordDeleted(deleted: LiveResource): void
  close(): void
}

/**
 * Opens the journal and locks it, because a second process would delete resources in use.
 * @throws ConfigError if it is locked or unreadable
 */
export function openJournal(folder: string, cloudAccounts: CloudAccounts): Journal {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const release = lockFolder(folder)
  const file = join(folder, 'left.json')
  let items = read(file)
  const save = (next: readonly LeftResource[]) => {
    write(file, JSON.stringify(next, null, 2))
    items = next
  }
  return {
    resources: () => items,
    recordBeforeCreate: (resource) =>
      save([...items, { at: cloudAccounts[resource.kind], thing: resource, since: Date.now() }]),
    recordDeleted: (gone) => save(items.filter((each) => each.thing.id !== gone.id || each.thing.kind !== gone.kind)),
    close: release,
  }
}

/** Locks the folder with SQLite, whose lock the operating system releases when the process is killed. */
function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock')
  // SQLite creates files with the umask's mode, and companion files with the mode of the main file.
  closeSync(openSync(file, 'a', 0o600))
  const lock = new DatabaseSync(file)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new ConfigError(`Another npm run live is using ${folder}. Wait until it ends, or stop it.`, {
      cause: error,
    })
  }
  return () => lock.close()
}

function read(file: string): readonly LeftResource[] {
  if (!existsSync(file)) return []
  try {
    return z.array(remaining).parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new ConfigError(
      `${file} cannot be read. It lists resources that an earlier run left behind: delete those manually, then delete the file.`,
      { cause: error },
    )
  }
}

function write(file: string, text: string): void {
  const next = openSync(`${file}.next`, 'w', 0o600)
  try {
    writeSync(next, text)
    fsyncSync(next)
  } finally {
    closeSync(next)
  }
  renameSync(`${file}.next`, file)
}
