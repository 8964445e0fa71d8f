import type { Generated, Selectable } from 'kysely'
import type { DefaultId } from './columns.ts'
import type { LeasedColumns } from './leased.ts'

export interface TaskTable extends LeasedColumns {
  id: DefaultId<string>
  name: string
  every: number
  started_at: Date | null
  ended_at: Date | null
  lag_seconds: number | null
}
export type TaskRow = Selectable<TaskTable>

export interface TaskOnWorkerTable {
  worker: string
  name: string
  every: number
  started_at: Date
  ended_at: Date | null
  lag_seconds: number
  last_error: string | null
}

/** Table with one row. */
export interface WholeSweepTable {
  single: Generated<boolean>
  due_at: Generated<Date>
}

export interface WorkerPulseTable {
  worker: string
  seen_at: Date
}

export interface PartStateTable {
  part: 'cloud' | 'mail'
  up: boolean
  seen_at: Generated<Date>
}

export interface ExpiringCredentialTable {
  name: string
  ends_at: Date
}
