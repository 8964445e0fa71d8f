import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** For ourselves alone. */
export const PRIVATE_FOLDER = 0o700
export const PRIVATE_FILE = 0o600
/** A group may go through to names that it knows, and neither list nor read. */
const PASSAGE = 0o710

/** The portal's own files in a data folder. PostgreSQL's folders are not among them: it closes those itself. */
const OURS = ['secret.key', 'audit.key', 'audit', 'backups', 'logs', 'emulator', 'live']

/** Makes a folder that is closed to everybody else; those above it are made as the system makes folders. */
export function makeFolder(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true })
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
}

/**
 * Makes a data folder, or closes one that was made open, with all that is ours in it. What lies beside that, in a folder
 * that serves for other things as well, is left as it is.
 * @param passage number of the group of PostgreSQL's account, where that isn't ours: it must get through; else null
 */
export function closeFolder(folder: string, passage: number | null): void {
  makeFolder(folder)
  // A folder that everybody may write in, such as /tmp, has the sticky bit: it was never made for us alone.
  if (isOurs(folder) && (lstatSync(folder).mode & 0o1000) === 0) {
    if (passage !== null) chownSync(folder, -1, passage)
    chmodSync(folder, passage === null ? PRIVATE_FOLDER : PASSAGE)
  }
  for (const name of OURS) close(join(folder, name))
}

function close(path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there === undefined || !isOurs(path)) return
  if (!there.isDirectory()) {
    if (there.isFile()) chmodSync(path, PRIVATE_FILE)
    return
  }
  chmodSync(path, PRIVATE_FOLDER)
  for (const name of readdirSync(path)) close(join(path, name))
}

/** Nobody but its owner and root may change a mode. */
function isOurs(path: string): boolean {
  const user = process.getuid?.()
  return user === 0 || lstatSync(path, { throwIfNoEntry: false })?.uid === user
}
