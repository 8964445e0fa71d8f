import type { TrainingId, OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface TrainingTable {
  id: Generated<TrainingId>
  organisation_id: OrganisationId
  name: string
  created_at: Generated<Date>
  access_start: string | null
  access_stop: string | null
  removed_at: Date | null
  access_extended_until: Date | null
  idle_stop_minutes: number | null
  access_days: number[] | null
  ends_on: string | null
  watched_without_asking: Generated<boolean>
  files_allowed: Generated<boolean>
  early_start: Generated<boolean>
}

export type TrainingRow = Selectable<TrainingTable>

export interface TrainingInstructorTable {
  training_id: TrainingId
  user_id: UserId
  organisation_id: OrganisationId
  role: Generated<'user'>
  added_by: string
  added_at: Generated<Date>
}

export type TrainingInstructorRow = Selectable<TrainingInstructorTable>

export interface TrainingsTables {
  training: TrainingTable
  training_instructor: TrainingInstructorTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends TrainingsTables {}
}
