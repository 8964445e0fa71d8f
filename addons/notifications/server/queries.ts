import { sql, type RawBuilder } from 'kysely'
import type { NotificationId, OrganisationId, TrainingId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { NOTIFICATION_DAYS, NOTIFICATIONS_MAX } from '../contract/notification-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'

/** Columns from which the reply is made. */
export interface ListedNotification {
  readonly id: string
  readonly at: Date
  readonly read: boolean
  readonly organization: string
  readonly training: string | null
  readonly kind: string
  readonly text: string
  readonly link: string
  readonly routine: boolean
}

const isRead = ({ id }: Actor) =>
  sql<boolean>`n.routine or exists (select from notification_read r where r.notification_id = n.id and r.user_id = ${id})`

/**
 * Returns the tables, conditions and order of a query for the newest notifications `n` that the actor may see now, with
 * organisation `o` and training `t`.
 */
function visibleTo({ id, role, organisation }: Actor): RawBuilder<unknown> {
  const own = organisation?.id ?? null
  const among =
    role === 'superadmin'
      ? sql`n.audience = 'superadmins'`
      : role === 'admin'
        ? sql`n.organisation_id = ${own}
            and (n.audience in ('class', 'admins') or n.audience = 'person' and n.about_user = ${id})`
        : sql`n.organisation_id = ${own} and (n.audience = 'person' and n.about_user = ${id} or n.audience = 'class'
            and n.training_id in (select training_id from training_instructor where user_id = ${id}))`
  return sql`notification n join organisation o on o.id = n.organisation_id
    left join training t on t.id = n.training_id
    where o.removed_at is null and t.removed_at is null and ${among}
      and (n.audience = 'person' or n.about_user is distinct from ${id})
      and n.created_at > portal_now() - make_interval(days => ${NOTIFICATION_DAYS})
    order by n.created_at desc, n.id limit ${NOTIFICATIONS_MAX}`
}

export interface Unread {
  readonly unread: number
  readonly newest: string | null
  readonly texts: string | null
}

export const selectNotifications = (db: Db, actor: Actor) =>
  sql<ListedNotification>`
    select n.id, n.created_at as at, (${isRead(actor)}) as read, o.name as organization, t.name as training, n.kind,
      n.text, n.link, n.routine
    from ${visibleTo(actor)}`.execute(db)

export const countUnread = (db: Db, actor: Actor) =>
  sql<Unread>`
    select count(*) filter (where not read)::int as unread, (array_agg(id order by at desc, id))[1] as newest,
      md5(string_agg(text, chr(10) order by at desc, id)) as texts
    from (select n.id, n.created_at as at, n.text, (${isRead(actor)}) as read from ${visibleTo(actor)}) as shown`.execute(
    db,
  )

export const insertRead = (tx: Tx, user: UserId, actor: Actor, requested: readonly NotificationId[]) =>
  sql`
    insert into notification_read (notification_id, user_id)
    select id, ${user} from (select n.id from ${visibleTo(actor)}) as shown
    where id = any (${requested}::uuid[]) order by id on conflict do nothing`.execute(tx)

export const lockNotice = (tx: Tx, key: string) =>
  sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as locked`.execute(tx)

export const hasRecent = (
  tx: Tx,
  of: {
    readonly organisation: OrganisationId
    readonly training: TrainingId | null
    readonly kind: string
    readonly about: UserId | null
    readonly minutes: number
  },
) =>
  sql`
    select from notification where organisation_id = ${of.organisation} and kind = ${of.kind}
      and training_id is not distinct from ${of.training} and about_user is not distinct from ${of.about}
      and created_at > portal_now() - make_interval(mins => ${of.minutes}) limit 1`.execute(tx)

export const notifyReaders = (tx: Tx, channel: string) => sql`select pg_notify('notified', ${channel})`.execute(tx)
