import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { InvitationPurpose } from '../../../db/schema/user.ts'
import { Problem } from '../../../core/errors.ts'
import type { Seal } from '../../../secrets/seal.ts'

export const INVITATION_DAYS = 7
/** A link in place of a forgotten password is good for less: whoever asks sits in front of it. */
export const LINK_MINUTES = 30

/** A link that sets a password, and that stands. */
export interface Invitation {
  readonly id: string
  readonly user: UserId
  readonly purpose: InvitationPurpose
}

/** The token of an invitation follows from its id, so that an email sent again carries the same link. */
export const invitationToken = (seal: Seal, id: string): string => `${id}.${seal.token('invitation', id)}`

export const invitationLink = (publicUrl: string, seal: Seal, id: string): string =>
  // In the fragment: it reaches no server's log and no referrer.
  `${publicUrl}/invitation#token=${invitationToken(seal, id)}`

/** @throws Problem notFound, alike for a token that never was, was used, was taken back or has run out */
export async function openInvitation(db: Db, seal: Seal, token: string): Promise<Invitation> {
  const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\.)/.exec(token)?.[0]
  if (id === undefined || !isSame(token, invitationToken(seal, id))) throw notValid()
  const found = await openInvitations(db).select(['user_id', 'purpose']).where('id', '=', id).executeTakeFirst()
  if (found === undefined) throw notValid()
  return { id, user: found.user_id, purpose: found.purpose }
}

/** Uses up an invitation. @throws Problem notFound when it was used or taken back meanwhile */
export async function useInvitation(tx: Tx, { id, user }: Invitation): Promise<void> {
  // Its person first, as by whoever takes links back: else each of the two might wait for what the other holds.
  await tx.selectFrom('portal_user').select('id').where('id', '=', user).forUpdate().execute()
  const used = await tx
    .updateTable('invitation')
    .set({ used_at: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`portal_now()`)
    .returning('id')
    .executeTakeFirst()
  if (used === undefined) throw notValid()
}

/** Takes back the links of a person that stand; answers how many these were. @param purpose undefined: of either */
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

/** Those that were not used or taken back, and have not run out. */
export const openInvitations = (db: Db) =>
  db
    .selectFrom('invitation')
    .where('invitation.used_at', 'is', null)
    .where('invitation.revoked_at', 'is', null)
    .where('invitation.expires_at', '>', sql<Date>`portal_now()`)

const notValid = () =>
  new Problem(
    'notFound',
    'This link is not valid any more. Ask your administrator for a new invitation, or for a new link at Forgot Password.',
  )

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
