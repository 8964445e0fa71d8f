import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PRIVATE_FOLDER = 0o700
export const PRIVATE_FILE = 0o600
/** Mode with which a group can open known names in the folder, but not list or read it. */
const TRAVERSE_ONLY = 0o710

/** The portal's own files in a data folder. PostgreSQL restricts its folders itself. */
const PORTAL_FILES = ['secret.key', 'audit.key', 'audit', 'backups', 'logs', 'emulator', 'live']

export function makePrivateFolder(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true })
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
}

/** @param passage group ID of PostgreSQL's user if it must traverse the folder; otherwise null */
export function restrictDataFolder(folder: string, passage: number | null): void {
  makePrivateFolder(folder)
  // A shared folder such as /tmp has the sticky bit. Its mode is not changed, because it does not belong to the portal
  // alone.
  if (mayChangeMode(folder) && (lstatSync(folder).mode & 0o1000) === 0) {
    if (passage !== null) chownSync(folder, -1, passage)
    chmodSync(folder, passage === null ? PRIVATE_FOLDER : TRAVERSE_ONLY)
  }
  for (const name of PORTAL_FILES) restrict(join(folder, name))
}

function restrict(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || !mayChangeMode(path)) return
  if (!stats.isDirectory()) {
    if (stats.isFile()) chmodSync(path, PRIVATE_FILE)
    return
  }
  chmodSync(path, PRIVATE_FOLDER)
  for (const name of readdirSync(path)) restrict(join(path, name))
}

function mayChangeMode(path: string): boolean {
  const user = process.getuid?.()
  return user === 0 || lstatSync(path, { throwIfNoEntry: false })?.uid === user
}
