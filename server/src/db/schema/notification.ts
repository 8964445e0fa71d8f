import type { ColumnType, Generated } from 'kysely'
import type { NotificationId, OrganisationId, TrainingId, UserId } from '@trainyard/contract/words/ids.ts'
import type { NotificationKind } from '@trainyard/contract/words/notification.ts'
import type { DefaultId, Immutable } from './columns.ts'

/** Triggers write the rows in the transaction of the event. */
export interface NotificationTable {
  id: DefaultId<NotificationId>
  organisation_id: Immutable<OrganisationId>
  training_id: Immutable<TrainingId | null>
  kind: Immutable<NotificationKind>
  audience: Immutable<'class' | 'admins' | 'superadmins' | 'person'>
  about_user: Immutable<UserId | null>
  data: ColumnType<unknown, string, never>
  created_at: Generated<Date>
}

export interface NotificationReadTable {
  notification_id: Immutable<NotificationId>
  user_id: Immutable<UserId>
}
