import type { Generated } from 'kysely'
import type { CalendarLinkId, OrganisationId, TrainingId, UserId } from '@trainyard/contract/words/ids.ts'
import type { DefaultId } from './columns.ts'

export interface CalendarLinkTable {
  id: DefaultId<CalendarLinkId>
  user_id: UserId
  /** null: all trainings of the user. */
  training_id: TrainingId | null
  organisation_id: OrganisationId | null
  token_hash: Buffer
  created_at: Generated<Date>
  last_read_at: Date | null
}
