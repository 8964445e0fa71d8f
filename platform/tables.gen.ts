import type { Selectable, Generated, GeneratedAlways, ColumnType } from 'kysely'
import type { UserId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'

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

export interface AuditTable {
  id: GeneratedAlways<number>
  at: Generated<Date>
  request_id: string
  call: string
  actor_id: UserId | null
  actor_email: string | null
  actor_role: Role | null
  organisation_id: OrganisationId | null
  detail: ColumnType<unknown, string, string>
  address: string | null
  refused: string | null
  before: ColumnType<unknown, string | null | undefined, string | null>
  after: ColumnType<unknown, string | null | undefined, string | null>
  xid: Generated<string>
  search_words: GeneratedAlways<string>
}

export type AuditRow = Selectable<AuditTable>

export interface StoredReplyTable {
  actor_id: UserId
  key: string
  call: string
  body_hash: Buffer
  reply: ColumnType<unknown, string | null | undefined, string | null>
  created_at: Generated<Date>
}

export type StoredReplyRow = Selectable<StoredReplyTable>

export interface PlatformTables {
  worker_pulse: WorkerPulseTable
  part_state: PartStateTable
  task: TaskTable
  task_on_worker: TaskOnWorkerTable
  call_bucket: CallBucketTable
  audit: AuditTable
  stored_reply: StoredReplyTable
}
declare module './server/db/schema.ts' {
  interface Schema extends PlatformTables {}
}
