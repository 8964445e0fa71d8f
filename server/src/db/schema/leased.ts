import type { Generated } from 'kysely'

/** The columns of a row that is its own queue: when it is due, its owner meanwhile, and how often it failed. */
export interface LeasedColumns {
  reconcile_at: Date | null
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
  /** The traceparent of the call that wanted what is wanted now; null where nothing is traced. */
  trace: string | null
}
