import { type RawBuilder, sql } from 'kysely'
import { sqlHook, sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { InvitationState } from '../contract/people.ts'

/** SQL: end of the last class of an invited user; null if there is none. The input is the alias of the invitation. */
export const lastClassEnd = sqlHook<string, Date | null>('users.lastClassEnd', (times) =>
  times.length === 0 ? sql`null::timestamptz` : sql`greatest(${sql.join(times)})`,
)

/**
 * SQL: end of the validity of a link. An invitation to a class is valid until the last class of the user ends.
 * @param alias of the row of `invitation`
 */
export const invitationEnd = (alias = 'invitation'): RawBuilder<Date> => {
  const expiresAt = sql.ref(`${alias}.expires_at`)
  return sql<Date>`case ${sql.ref(`${alias}.purpose`)} when 'invitation'
    then greatest(${expiresAt}, ${sqlOf(lastClassEnd, alias)}) else ${expiresAt} end`
}

export interface NewestInvitation {
  readonly created_at: Date
  readonly delivered_at: Date | null
  readonly opened_at: Date | null
  readonly bounced_at: Date | null
  readonly bounce: string | null
  readonly until: Date
}

/** SQL query: the newest open invitation of the user `u`. */
export const newestInvitation = (): RawBuilder<NewestInvitation> => sql<NewestInvitation>`(
  select created_at, delivered_at, opened_at, bounced_at, bounce, ${invitationEnd()} as until from invitation
  where user_id = u.id and purpose = 'invitation' and used_at is null and revoked_at is null
  order by created_at desc, id limit 1)`

/** @returns null for a user without an open invitation */
export function invitationState(row: {
  readonly [Column in keyof NewestInvitation]: NewestInvitation[Column] | null
}): InvitationState | null {
  if (row.created_at === null || row.until === null) return null
  return {
    sentAt: row.created_at.toISOString(),
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    openedAt: row.opened_at?.toISOString() ?? null,
    bounced: row.bounced_at === null ? null : { at: row.bounced_at.toISOString(), reason: row.bounce! },
    until: row.until.toISOString(),
  }
}
