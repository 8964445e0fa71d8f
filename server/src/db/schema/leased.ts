import type { Generated } from 'kysely'

export interface LeasedColumns {
  reconcile_at: Date | null
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
}
