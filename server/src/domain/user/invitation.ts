import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../db/schema.ts'
import { Problem } from '../../core/errors.ts'
import type { Seal } from '../../secrets/seal.ts'

export const INVITATION_DAYS = 7

/** The token of an invitation follows from its id, so that an email sent again carries the same link. */
export const invitationToken = (seal: Seal, id: string): string => `${id}.${seal.token('invitation', id)}`

export const invitationLink = (publicUrl: string, seal: Seal, id: string): string =>
  // In the fragment: it reaches no server's log and no referrer.
  `${publicUrl}/invitation#token=${invitationToken(seal, id)}`

/** @throws Problem notFound, alike for a token that never was, was used or has run out */
export async function openInvitation(db: Db, seal: Seal, token: string): Promise<{ id: string; user: UserId }> {
  const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\.)/.exec(token)?.[0]
  if (id === undefined || !isSame(token, invitationToken(seal, id))) throw notValid()
  const found = await openInvitations(db).select('user_id').where('id', '=', id).executeTakeFirst()
  if (found === undefined) throw notValid()
  return { id, user: found.user_id }
}

/** Uses up an invitation and every other one of the same user. @throws Problem notFound when it was used meanwhile */
export async function useInvitation(tx: Tx, invitation: { id: string; user: UserId }): Promise<void> {
  const used = await tx
    .updateTable('invitation')
    .set({ used_at: sql<Date>`portal_now()` })
    .where('user_id', '=', invitation.user)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`portal_now()`)
    .returning('id')
    .execute()
  if (!used.some(({ id }) => id === invitation.id)) throw notValid()
}

/** Those that were not used and have not run out. */
export const openInvitations = (db: Db) =>
  db
    .selectFrom('invitation')
    .where('invitation.used_at', 'is', null)
    .where('invitation.expires_at', '>', sql<Date>`portal_now()`)

const notValid = () =>
  new Problem('notFound', 'This invitation is not valid any more. Please ask your administrator for a new one.')

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
