import type { Generated } from 'kysely'
import type { ClassSeriesId, ClassSessionId, OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { DefaultId, ReadOnly } from './columns.ts'

export interface HolidayTable {
  organisation_id: OrganisationId
  date: string
  name: string
  created_by: string
  created_at: Generated<Date>
}

export interface ClassSeriesTable {
  id: DefaultId<ClassSeriesId>
  training_id: TrainingId
  organisation_id: OrganisationId
  /** Monday 1 to Sunday 7; null: a single session. */
  weekdays: number[] | null
  from_date: string
  until_date: string
  limits_access: boolean
  created_by: string
  created_at: Generated<Date>
}

export interface ClassSessionTable {
  id: DefaultId<ClassSessionId>
  series_id: ClassSeriesId
  training_id: TrainingId
  organisation_id: OrganisationId
  date: string
  start_time: string
  stop_time: string
  time_zone: string
  starts_at: Date
  stops_at: Date
  /** True if a user changed this session separately from the other sessions of its series. */
  moved: Generated<boolean>
  skipped_at: Date | null
  removed_at: Date | null
  /** Number of changes of the times, skips included. Set by a trigger, as is `revised_at`. */
  revision: ReadOnly<number>
  revised_at: ReadOnly<Date>
}
