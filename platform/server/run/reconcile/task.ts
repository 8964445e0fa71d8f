import type { ClaimableTable } from './claim.ts'
import type { RawBuilder } from 'kysely'

export interface Task {
  readonly name: string
  readonly every: number
  readonly on: 'one' | 'each'
  /** Table whose due rows start a run immediately. Only for tasks that run on `each` worker. */
  readonly wokenBy?: ClaimableTable
  /** SQL: true if there is work, which starts a run at once. Only for tasks that run on `each` worker. */
  readonly isDue?: RawBuilder<boolean>
  readonly limit?: number
  /**
   * Runs the task. May return the seconds until the next run. The next run starts even after a crash, which therefore
   * loses nothing.
   */
  run(signal: AbortSignal): Promise<number | void>
}

export const LIMIT_SECONDS = 60

/** Seconds. */
export const MINUTE = 60
export const DAY = 24 * 60 * MINUTE
