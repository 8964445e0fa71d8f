import type { Generated } from 'kysely'

/** What a row that is its own queue has: when it is due, whose it is meanwhile, and how often it failed. */
export interface LeasedColumns {
  reconcile_at: Date | null
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
}
