import { sql } from 'kysely'
import type { Notification } from '../contract/notification.ts'
import type { NotificationId } from '@trainyard/platform/contract/words/ids.ts'
import { NOTIFICATION_DAYS } from '../contract/notification-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { selectNotifications, countUnread, insertRead, type Unread } from './queries.ts'

export async function notificationsOf(db: Db, actor: Actor): Promise<Notification[]> {
  const { rows } = await selectNotifications(db, actor)
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

export async function unreadOf(db: Db, actor: Actor): Promise<Unread> {
  const { rows } = await countUnread(db, actor)
  return rows[0]!
}

/** Marks notifications as read or unread. Ignores those that the actor may not see. */
export async function markNotifications(tx: Tx, actor: Actor, ids: readonly string[], read: boolean): Promise<void> {
  const requested = [...new Set(ids)] as NotificationId[]
  if (!read) {
    await tx
      .deleteFrom('notification_read')
      .where('user_id', '=', actor.id)
      .where('notification_id', 'in', requested)
      .execute()
    return
  }
  await insertRead(tx, actor.id, actor, requested)
}

export async function deleteOldNotifications(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('notification')
    .where('created_at', '<', sql<Date>`portal_now() - make_interval(days => ${NOTIFICATION_DAYS})`)
    .execute()
}
