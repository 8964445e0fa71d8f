import type {
  ScheduleId,
  TrainingId,
  OrganisationId,
  RecurrenceId,
  ClassSessionId,
  MachineId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface ScheduleTable {
  id: Generated<ScheduleId>
  training_id: TrainingId
  organisation_id: OrganisationId
  action: 'Start' | 'Stop'
  date: string
  time: string
  time_zone: string
  fires_at: Date
  created_by: string
  created_at: Generated<Date>
  completed_at: Date | null
  missed: Generated<boolean>
  removed_at: Date | null
  deferred_until: Date | null
  recurrence_id: RecurrenceId | null
  class_session_id: ClassSessionId | null
}

export type ScheduleRow = Selectable<ScheduleTable>

export interface ScheduleOutcomeTable {
  schedule_id: ScheduleId
  machine_id: MachineId
  organisation_id: OrganisationId
  outcome: 'acted' | 'skipped' | 'failed'
  reason: string | null
  generation: number | null
}

export type ScheduleOutcomeRow = Selectable<ScheduleOutcomeTable>

export interface SchedulesTables {
  schedule: ScheduleTable
  schedule_outcome: ScheduleOutcomeTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends SchedulesTables {}
}
