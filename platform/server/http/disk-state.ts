import { statfsSync } from 'node:fs'

/** Free bytes below which a disk counts as full. PostgreSQL needs a WAL segment of 16 MB at a time. */
const FREE_MIN = 32 * 1024 * 1024
/** Milliseconds after a refused write during which the disk counts as full, unless a change succeeds. */
const REFUSED_MS = 60_000

/**
 * State of the disk to which the database writes. This process derives it from its own changes, and from the free space
 * if the database is on this host.
 */
export class DiskState {
  readonly #folder: string | null
  #refusedAt = -Infinity

  /** @param folder of the embedded database; null if the database is on another server */
  constructor(folder: string | null) {
    this.#folder = folder
  }

  /** Records that PostgreSQL refused a change because its disk is full. */
  refused(): void {
    this.#refusedAt = performance.now()
  }

  /** Records a committed change. */
  written(): void {
    this.#refusedAt = -Infinity
  }

  isFull(): boolean {
    return performance.now() - this.#refusedAt < REFUSED_MS || this.#freeBytes() < FREE_MIN
  }

  #freeBytes(): number {
    if (this.#folder === null) return Infinity
    try {
      const { bavail, bsize } = statfsSync(this.#folder)
      return bavail * bsize
    } catch {
      return Infinity
    }
  }
}
