import type {
  OrganisationId,
  ClassSeriesId,
  TrainingId,
  ClassSessionId,
  CalendarLinkId,
  UserId,
  OrderId,
  MachineId,
  RecurrenceId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface HolidayTable {
  organisation_id: OrganisationId
  date: string
  name: string
  created_by: string
  created_at: Generated<Date>
}

export type HolidayRow = Selectable<HolidayTable>

export interface ClassSeriesTable {
  id: Generated<ClassSeriesId>
  training_id: TrainingId
  organisation_id: OrganisationId
  weekdays: number[] | null
  from_date: string
  until_date: string
  limits_access: boolean
  created_by: string
  created_at: Generated<Date>
}

export type ClassSeriesRow = Selectable<ClassSeriesTable>

export interface ClassSessionTable {
  id: Generated<ClassSessionId>
  series_id: ClassSeriesId
  training_id: TrainingId
  organisation_id: OrganisationId
  date: string
  start_time: string
  stop_time: string
  time_zone: string
  starts_at: Date
  stops_at: Date
  moved: Generated<boolean>
  skipped_at: Date | null
  removed_at: Date | null
  revision: Generated<number>
  revised_at: Generated<Date>
}

export type ClassSessionRow = Selectable<ClassSessionTable>

export interface CalendarLinkTable {
  id: Generated<CalendarLinkId>
  user_id: UserId
  training_id: TrainingId | null
  organisation_id: OrganisationId | null
  token_hash: Buffer
  created_at: Generated<Date>
  last_read_at: Date | null
}

export type CalendarLinkRow = Selectable<CalendarLinkTable>

export interface ReadyByTable {
  id: Generated<string>
  training_id: TrainingId
  organisation_id: OrganisationId
  date: string
  time: string
  time_zone: string
  ready_at: Date
  asked_by: string
  created_at: Generated<Date>
  started_at: Date | null
  missed: Generated<boolean>
  removed_at: Date | null
  order_id: OrderId | null
  class_session_id: ClassSessionId | null
}

export type ReadyByRow = Selectable<ReadyByTable>

export interface ReadyMachineTable {
  ready_by_id: string
  machine_id: MachineId
  organisation_id: OrganisationId
  refused: string | null
}

export type ReadyMachineRow = Selectable<ReadyMachineTable>

export interface RecurrenceTable {
  id: Generated<RecurrenceId>
  training_id: TrainingId
  organisation_id: OrganisationId
  action: 'Start' | 'Stop'
  weekdays: number[]
  time: string
  from_date: string
  until_date: string
  time_zone: string
  created_by: string
  created_at: Generated<Date>
  removed_at: Date | null
}

export type RecurrenceRow = Selectable<RecurrenceTable>

export interface ClassSessionsTables {
  holiday: HolidayTable
  class_series: ClassSeriesTable
  class_session: ClassSessionTable
  calendar_link: CalendarLinkTable
  ready_by: ReadyByTable
  ready_machine: ReadyMachineTable
  recurrence: RecurrenceTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends ClassSessionsTables {}
}
