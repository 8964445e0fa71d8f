import { sql } from 'kysely'
import type { InvitationState } from '../contract/people.ts'

export interface NewestInvitation {
  readonly created_at: Date
  readonly delivered_at: Date | null
  readonly opened_at: Date | null
  readonly bounced_at: Date | null
  readonly bounce: string | null
  readonly until: Date
}

/** SQL query: the newest open invitation of the user `u`. */
export const NEWEST_INVITATION = sql<NewestInvitation>`(
  select created_at, delivered_at, opened_at, bounced_at, bounce, invitation_end(invitation) as until from invitation
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
