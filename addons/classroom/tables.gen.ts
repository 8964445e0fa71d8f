import type { TrainingId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface RaisedHandTable {
  training_id: TrainingId
  email: string
  organisation_id: OrganisationId
  raised_at: Generated<Date>
  reason: 'stuck' | 'question' | 'slow' | null
}

export type RaisedHandRow = Selectable<RaisedHandTable>

export interface AnnouncementTable {
  training_id: TrainingId
  organisation_id: OrganisationId
  text: string
  made_by: string
  made_at: Generated<Date>
  ends_at: Date
}

export type AnnouncementRow = Selectable<AnnouncementTable>

export interface ClassroomTables {
  raised_hand: RaisedHandTable
  announcement: AnnouncementTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends ClassroomTables {}
}
