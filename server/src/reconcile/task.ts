import type { ClaimableTable } from './claim.ts'
import type { RawBuilder } from 'kysely'

export interface Task {
  readonly name: string
  /** Seconds from the end of one run to the start of the next, unless the run returns another number. */
  readonly every: number
  /** `one`: a single worker at a time runs the task. `each`: every worker runs it. */
  readonly on: 'one' | 'each'
  /** Table whose due rows start a run at once. Tasks on `each` worker only. */
  readonly wokenBy?: ClaimableTable
  /** SQL expression: true if there is work, which starts a run at once. Tasks on `each` worker only. */
  readonly isDue?: RawBuilder<boolean>
  /** Timeout of a run, in seconds. */
  readonly limit?: number
  /**
   * Runs the task; may return the seconds until the next run. Runs again after any end, so a crash half-way loses
   * nothing. Errors are shown; the retry pause grows for tasks on `one` worker and is short for tasks on `each`.
   */
  run(signal: AbortSignal): Promise<number | void>
}

export const LIMIT_SECONDS = 60
