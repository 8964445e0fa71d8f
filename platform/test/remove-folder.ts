import { rmSync } from 'node:fs'

/** Removes a test's folder, with retries because an ending process may still write to it on a busy machine. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
