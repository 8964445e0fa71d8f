import type { Generated } from 'kysely'

export interface WorkerPulseTable {
  worker: string
  seen_at: Date
}

export interface PartStateTable {
  part: 'cloud' | 'mail'
  up: boolean
  seen_at: Generated<Date>
}

/** Table with one row. */
export interface PortalClockTable {
  single: Generated<boolean>
  seen_at: Date
  jumped_at: Date | null
  jumped_by: number | null
}
