import type { ClaimableTable } from './claim.ts'
import type { RawBuilder } from 'kysely'

/** Time of the next run, if it is not that of `every`. */
export interface Again {
  readonly inSeconds: number
}

interface AnyTask {
  readonly name: string
  /** Seconds between two runs. After an error, a task of one worker pauses as a row does, others for 2 seconds. */
  readonly every: number
  /** Maximum duration of a run in seconds. */
  readonly limit?: number
  /**
   * Runs the task. May return the time of the next run. The next run starts even after a crash, which therefore
   * loses nothing.
   */
  run(signal: AbortSignal): Promise<Again | void>
}

/** A task that one worker at a time runs, as the step of its row in the table `task`. */
export interface TaskOfOne extends AnyTask {
  readonly on: 'one'
}

export interface TaskOfEach extends AnyTask {
  readonly on: 'each'
  /** Table whose due rows start a run immediately. */
  readonly wokenBy?: ClaimableTable
  /** SQL: true if there is work, which starts a run at once. */
  readonly isDue?: RawBuilder<boolean>
}

export type Task = TaskOfOne | TaskOfEach

export const LIMIT_SECONDS = 60

/** Seconds. */
export const MINUTE = 60
export const DAY = 24 * 60 * MINUTE
