import { copyFileSync, openSync, readdirSync, renameSync, statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder, PRIVATE_FILE } from './closed-folder.ts'

/** Bytes after which a log goes on in a new file; the one before is kept beside it. */
export const LOG_LIMIT = 10_000_000

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
const before = (file: string): string => `${file}.1`

/** Opens a log to add to it. */
export function openLog(file: string): number {
  makeFolder(dirname(file))
  if (sizeOf(file) > LOG_LIMIT) renameSync(file, before(file))
  return openSync(file, 'a', PRIVATE_FILE)
}

/**
 * Turns the logs of a folder while they are written: what a process holds open to add to can't be given to it anew, so
 * its content is copied and the file emptied. A line written between the two is lost.
 */
export function turnLogs(folder: string, limit = LOG_LIMIT): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.log'))) {
    const file = join(folder, name)
    if (sizeOf(file) <= limit) continue
    copyFileSync(file, before(file))
    truncateSync(file)
  }
}
