import type { Readable } from 'node:stream'

/** Place of the backups. */
export interface BackupStore {
  /** Name of the place in messages, which ends without a slash. */
  readonly place: string
  /** Returns the names of all complete files. */
  list(): Promise<readonly string[]>
  /** Writes a file, which appears only when it is complete. @throws NoBackup if a file has the name */
  write(name: string, content: AsyncIterable<Buffer>): Promise<void>
  /** @param partBytes bytes that are fetched at a time. Default: for whole files */
  read(name: string, partBytes?: number): Promise<Readable>
  remove(name: string): Promise<void>
  /** Deletes what processes left that died while they wrote. No other backup may be in progress. */
  removeUnfinished(): Promise<void>
}
