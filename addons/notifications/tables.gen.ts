import type { NotificationId, OrganisationId, TrainingId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface NotificationTable {
  id: Generated<NotificationId>
  organisation_id: OrganisationId
  training_id: TrainingId | null
  kind: string
  audience: 'class' | 'admins' | 'superadmins' | 'person'
  about_user: UserId | null
  text: string
  link: string
  routine: Generated<boolean>
  created_at: Generated<Date>
}

export type NotificationRow = Selectable<NotificationTable>

export interface NotificationReadTable {
  notification_id: NotificationId
  user_id: UserId
}

export type NotificationReadRow = Selectable<NotificationReadTable>

export interface NotificationsTables {
  notification: NotificationTable
  notification_read: NotificationReadTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends NotificationsTables {}
}
