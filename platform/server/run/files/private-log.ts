import { copyFileSync, openSync, readdirSync, renameSync, statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makePrivateFolder, PRIVATE_FILE } from './private-folder.ts'

/** Size in bytes above which a log is rotated. One previous file is retained. */
const MAX_LOG_BYTES = 10_000_000

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
const before = (file: string): string => `${file}.1`

export function openLog(file: string): number {
  makePrivateFolder(dirname(file))
  if (sizeOf(file) > MAX_LOG_BYTES) renameSync(file, before(file))
  return openSync(file, 'a', PRIVATE_FILE)
}

/**
 * Rotates logs by copying and truncating, because a process holds the file open. A line that is written in between is
 * lost.
 */
export function rotateLogs(folder: string, limit = MAX_LOG_BYTES): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.log'))) {
    const file = join(folder, name)
    if (sizeOf(file) <= limit) continue
    copyFileSync(file, before(file))
    truncateSync(file)
  }
}
