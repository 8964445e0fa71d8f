import { type RawBuilder, sql } from 'kysely'
import type { Notification } from '@trainyard/contract/calls/notification.ts'
import type { NotificationId } from '@trainyard/contract/words/ids.ts'
import { NOTIFICATION_DAYS, type NotificationKind, NOTIFICATIONS_MAX } from '@trainyard/contract/words/notification.ts'
import type { Actor } from '../../core/actor.ts'
import type { Db, Tx } from '../../db/schema.ts'

/**
 * Returns the tables, conditions and order of a query for the newest notifications `n` that the actor may see now, with
 * organisation `o`, training `t` and user `u`.
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
    left join training t on t.id = n.training_id left join portal_user u on u.id = n.about_user
    where o.removed_at is null and t.removed_at is null and ${among}
      and (n.audience = 'person' or n.about_user is distinct from ${id})
      and n.created_at > portal_now() - make_interval(days => ${NOTIFICATION_DAYS})
    order by n.created_at desc, n.id limit ${NOTIFICATIONS_MAX}`
}

const isRead = ({ id }: Actor) =>
  sql<boolean>`exists (select from notification_read r where r.notification_id = n.id and r.user_id = ${id})`

/** Columns from which the reply is made. */
interface Row {
  readonly id: string
  readonly at: Date
  readonly read: boolean
  readonly organization: string
  readonly training: string | null
  readonly kind: NotificationKind
  readonly by: string | null
  readonly data: object
}

export async function notificationsOf(db: Db, actor: Actor): Promise<Notification[]> {
  const { rows } = await sql<Row>`
    select n.id, n.created_at as at, ${isRead(actor)} as read, o.name as organization, t.name as training, n.kind,
      u.email as by, n.data
    from ${visibleTo(actor)}`.execute(db)
  return rows.map(viewOf)
}

function viewOf({ id, at, read, organization, training, kind, by, data }: Row): Notification {
  const row = { id, at: at.toISOString(), read, organization, training, kind }
  const fields = Object.fromEntries(FIELDS[kind].map((name) => [name, (data as Record<string, unknown>)[name] ?? null]))
  // The triggers write the data of each kind.
  return { ...row, ...(WITH_USER.has(kind) && { by }), ...fields } as Notification
}

const WITH_USER: ReadonlySet<NotificationKind> = new Set(['hand.raised', 'request.sent'])

const FIELDS: Readonly<Record<NotificationKind, readonly string[]>> = {
  'order.ready': ['template', 'machines'],
  'machine.failed': ['machine', 'reason'],
  'budget.reached': ['percent'],
  'budget.cap_reached': [],
  'quota.reached': ['percent'],
  'hand.raised': ['reason'],
  'invitation.bounced': ['email', 'reason'],
  'request.sent': ['request', 'why'],
  'request.decided': ['request', 'approved', 'answer'],
}

export interface Unread {
  readonly unread: number
  readonly newest: string | null
}

export async function unreadOf(db: Db, actor: Actor): Promise<Unread> {
  const { rows } = await sql<Unread>`
    select count(*) filter (where not read)::int as unread, (array_agg(id order by at desc, id))[1] as newest
    from (select n.id, n.created_at as at, ${isRead(actor)} as read from ${visibleTo(actor)}) as shown`.execute(db)
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
  await sql`
    insert into notification_read (notification_id, user_id)
    select id, ${actor.id} from (select n.id from ${visibleTo(actor)}) as shown
    where id = any (${requested}::uuid[]) order by id on conflict do nothing`.execute(tx)
}

export async function deleteOldNotifications(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('notification')
    .where('created_at', '<', sql<Date>`portal_now() - make_interval(days => ${NOTIFICATION_DAYS})`)
    .execute()
}
