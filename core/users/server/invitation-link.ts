import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { MAILED_LINK } from '@trainyard/platform/contract/words/mailed-link.ts'
import { isTimeZone } from '@trainyard/platform/contract/words/time-zone.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { InvitationRow } from '../tables.gen.ts'
import { invitationEnd } from './invitation-state.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { idOfMailedToken } from '@trainyard/platform/server/core/tokens.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'

/** Days for which an invitation without a class is valid. */
export const INVITATION_DAYS = 7
/**
 * Validity of a reset link. It is shorter than the validity of an invitation, because the user is waiting for the link.
 */
export const RESET_LINK_MINUTES = 30

type InvitationPurpose = InvitationRow['purpose']

export interface Invitation {
  readonly id: string
  readonly user: UserId
  readonly purpose: InvitationPurpose
  /** Address that the link confirms; null for another purpose. */
  readonly newEmail: string | null
}

/** Returns the token of an invitation. It is derived from the ID, so that a resent email contains the same link. */
export const invitationToken = (seal: Seal, id: string): string => `${id}.${seal.token('invitation', id)}`

export const invitationLink = (publicUrl: string, seal: Seal, id: string): string =>
  // The token is in the fragment, so that it does not appear in server logs or referrers.
  `${publicUrl}/invitation#token=${invitationToken(seal, id)}`

/**
 * @param purposes undefined for a link of any purpose
 * @throws Problem notFound for an incomplete token, and with another message for an unknown, used, revoked or expired
 * one, and for another purpose
 */
export async function requireValidInvitation(
  db: Db,
  seal: Seal,
  token: string,
  purposes?: readonly InvitationPurpose[],
): Promise<Invitation> {
  const id = idOfMailedToken(token, (of) => invitationToken(seal, of), {
    incomplete: MAILED_LINK.invitationIncomplete,
    notValid: MAILED_LINK.invitationNotValid,
  })
  const found = await validInvitations(db)
    .select(['user_id', 'purpose', 'new_email'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined || purposes?.includes(found.purpose) === false) throw notValid()
  return { id, user: found.user_id, purpose: found.purpose, newEmail: found.new_email }
}

interface Opening {
  readonly invitation: string
  readonly user: UserId
  readonly timeZone: string | undefined
}

/** Stores when the page of a link was first opened, and the time zone of the browser. */
export async function recordOpening(tx: Tx, { invitation, user, timeZone }: Opening): Promise<void> {
  if (timeZone !== undefined && isTimeZone(timeZone))
    await tx.updateTable('portal_user').set({ time_zone: timeZone }).where('id', '=', user).execute()
  await tx
    .updateTable('invitation')
    .set({ opened_at: sql<Date>`portal_now()` })
    .where('id', '=', invitation)
    .where('opened_at', 'is', null)
    .execute()
}

/** @throws Problem notFound if it was used or revoked concurrently, or if the user is deactivated */
export async function useInvitation(tx: Tx, { id, user }: Pick<Invitation, 'id' | 'user'>): Promise<void> {
  // The user is locked first, as by the callers of `revokeLinks`. The opposite order could deadlock.
  const found = await tx
    .selectFrom('portal_user')
    .select('deactivated_at')
    .where('id', '=', user)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined || found.deactivated_at !== null) throw notValid()
  const used = await tx
    .updateTable('invitation')
    .set({ used_at: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where(invitationEnd(), '>', sql<Date>`portal_now()`)
    .returning('id')
    .executeTakeFirst()
  if (used === undefined) throw notValid()
}

/**
 * Revokes the links of a user. Returns their number.
 * @param purpose undefined for every purpose
 */
export async function revokeLinks(tx: Tx, user: UserId, purpose?: InvitationPurpose): Promise<number> {
  const revoked = await tx
    .updateTable('invitation')
    .set({ revoked_at: sql<Date>`portal_now()` })
    .where('user_id', '=', user)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .$if(purpose !== undefined, (q) => q.where('purpose', '=', purpose!))
    .returning('id')
    .execute()
  return revoked.length
}

export const validInvitations = (db: Db) =>
  db
    .selectFrom('invitation')
    .where('invitation.used_at', 'is', null)
    .where('invitation.revoked_at', 'is', null)
    .where(invitationEnd(), '>', sql<Date>`portal_now()`)

const notValid = () => new Problem('notFound', MAILED_LINK.invitationNotValid)
