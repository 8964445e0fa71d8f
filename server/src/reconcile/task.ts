import type { ClaimableTable } from './claim.ts'
import type { RawBuilder } from 'kysely'

export interface Task {
  readonly name: string
  readonly every: number
  readonly on: 'one' | 'each'
  /** Table whose due rows start a run at once. Tasks on `each` worker only. */
  readonly wokenBy?: ClaimableTable
  /** SQL expression: true if there is work, which starts a run at once. Tasks on `each` worker only. */
  readonly isDue?: RawBuilder<boolean>
  readonly limit?: number
  /** May return the seconds until the next run. Runs again after any end, so a crash half-way loses nothing. */
  run(signal: AbortSignal): Promise<number | void>
}

export const LIMIT_SECONDS = 60
