import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { restrictDataFolder, PRIVATE_FOLDER } from '../../../run/files/private-folder.ts'
import { embeddedPlace, type OsUser } from '../place.ts'
import { copyDecrypted, copyFile } from './copy-file.ts'
import { CLUSTER, ENCRYPTED, type Manifest, NoBackup, readManifest } from './manifest.ts'

const MAJOR = '18'

/**
 * Restores a backup into a data folder that has no database. Compares each file with the manifest before the database
 * gets its final name. The next start of the database replays the WAL.
 * @param keys IDs of the configured keys, and of the keys that the operator has declared lost
 * @param identity age key of an encrypted backup; null: the user named no key
 */
export async function restore(
  folder: string,
  dataDir: string,
  keys: readonly string[],
  identity: string | null = null,
): Promise<Manifest> {
  const manifest = readManifest(folder)
  const { encryptedFor } = manifest
  if (encryptedFor !== undefined && identity === null) {
    throw new NoBackup(
      `${folder} is encrypted for ${encryptedFor}. Name the file with its key: npm run restore -- ${folder} --identity FILE`,
    )
  }
  const needed = manifest.keys ?? []
  if (needed.length > 0 && !needed.some((id) => keys.includes(id))) {
    throw new NoBackup(
      `${folder} needs the key ${needed.join(' or ')}, which is not configured (${keys.join(', ')}). Copy the ` +
        `secret.key of that installation into ${dataDir}, or set SECRET_KEYS. If the key is lost, set ` +
        `LOST_KEYS=${needed.join(',')}.`,
    )
  }
  if (manifest.postgres !== MAJOR) {
    throw new NoBackup(`${folder} is a backup of PostgreSQL ${manifest.postgres}, but this program uses ${MAJOR}.`)
  }
  const place = embeddedPlace(dataDir)
  if (existsSync(place.cluster)) {
    throw new NoBackup(
      `${place.cluster} already exists, and nothing is overwritten. Move it away, or restore to another folder: ` +
        `TRAINYARD_DATA=FOLDER npm run restore -- ${folder}`,
    )
  }
  if (place.home !== dataDir) restrictDataFolder(dataDir, null)
  restrictDataFolder(place.home, place.osUser?.gid ?? null)
  const draft = `${place.cluster}-restored`
  rmSync(draft, { recursive: true, force: true })
  try {
    makeFolders(join(folder, CLUSTER), draft)
    for (const { path, bytes, sha256 } of manifest.files) {
      const [source, target] = [join(folder, CLUSTER, path), join(draft, path)]
      const copying =
        encryptedFor === undefined ? copyFile(source, target) : copyDecrypted(source + ENCRYPTED, target, identity!)
      const copied = await copying.catch((error: Error) => error)
      if (copied instanceof Error && copied.message.startsWith('no identity matched')) {
        throw new NoBackup(`The key does not decrypt ${folder}, which is encrypted for ${encryptedFor}.`)
      }
      if (copied instanceof Error || copied.bytes !== bytes || copied.sha256 !== sha256) {
        throw new NoBackup(`${folder} is damaged: ${path} differs from the file that was backed up.`)
      }
    }
    setOwner(draft, place.osUser)
    renameSync(draft, place.cluster)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
  return manifest
}

/** Creates the folders of the backup, also the empty ones, which PostgreSQL needs. */
function makeFolders(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: PRIVATE_FOLDER })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) makeFolders(join(from, entry.name), join(to, entry.name))
  }
  chmodSync(to, PRIVATE_FOLDER)
}

function setOwner(path: string, osUser: OsUser | null): void {
  if (osUser === null) return
  chownSync(path, osUser.uid, osUser.gid)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) setOwner(child, osUser)
    else chownSync(child, osUser.uid, osUser.gid)
  }
}
