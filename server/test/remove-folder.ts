import { rmSync } from 'node:fs'

/** Removes a test's folder, where the last of the processes that worked in it may still write on a crowded machine. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
