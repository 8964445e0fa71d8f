import type { Selectable, Generated } from 'kysely'

export interface WorkerPulseTable {
  worker: string
  seen_at: Date
}

export type WorkerPulseRow = Selectable<WorkerPulseTable>

export interface PartStateTable {
  part: string
  up: boolean
  seen_at: Generated<Date>
}

export type PartStateRow = Selectable<PartStateTable>

export interface TaskTable {
  id: Generated<string>
  name: string
  every: number
  reconcile_at: Generated<Date | null>
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
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

export type TaskOnWorkerRow = Selectable<TaskOnWorkerTable>

export interface CallBucketTable {
  name: string
  tokens: number
  counted_at: Date
  closed_until: Generated<Date>
}

export type CallBucketRow = Selectable<CallBucketTable>

export interface WholeSweepTable {
  single: Generated<boolean>
  due_at: Generated<Date>
}

export type WholeSweepRow = Selectable<WholeSweepTable>

export interface WorkersTables {
  worker_pulse: WorkerPulseTable
  part_state: PartStateTable
  task: TaskTable
  task_on_worker: TaskOnWorkerTable
  call_bucket: CallBucketTable
  whole_sweep: WholeSweepTable
}
declare module '../schema.ts' {
  interface Schema extends WorkersTables {}
}
