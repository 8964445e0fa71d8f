import type { Generated } from 'kysely'
import type {
  ClassSessionId,
  MachineId,
  OrganisationId,
  RecurrenceId,
  ScheduleId,
  TrainingId,
} from '@trainyard/contract/words/ids.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import type { DefaultId } from './columns.ts'

export interface ScheduleTable {
  id: DefaultId<ScheduleId>
  training_id: TrainingId
  organisation_id: OrganisationId
  action: ScheduleAction
  date: string
  time: string
  time_zone: string
  fires_at: Date
  deferred_until: Date | null
  created_by: string
  created_at: Generated<Date>
  completed_at: Date | null
  missed: Generated<boolean>
  removed_at: Date | null
  recurrence_id: RecurrenceId | null
  class_session_id: ClassSessionId | null
}

export interface RecurrenceTable {
  id: DefaultId<RecurrenceId>
  training_id: TrainingId
  organisation_id: OrganisationId
  action: ScheduleAction
  weekdays: number[]
  time: string
  from_date: string
  until_date: string
  time_zone: string
  created_by: string
  created_at: Generated<Date>
  removed_at: Date | null
}

export interface ScheduleOutcomeTable {
  schedule_id: ScheduleId
  organisation_id: OrganisationId
  machine_id: MachineId
  outcome: 'acted' | 'skipped' | 'failed'
  reason: string | null
  generation: number | null
}
