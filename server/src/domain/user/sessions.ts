import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../db/schema.ts'
import { hashToken } from '../../core/tokens.ts'
import { forgetOldAttempts } from './attempts.ts'

/** A session ends seven days after it began, however much it was used. */
export const SESSION_SECONDS = 7 * 24 * 60 * 60

/** Opens a session and answers its token; only the token's hash is kept. */
export async function openSession(tx: Tx, user: UserId): Promise<string> {
  const uid = randomBytes(32).toString('base64url')
  await tx
    .insertInto('session')
    .values({
      token_hash: hashToken(uid),
      user_id: user,
      expires_at: sql<Date>`portal_now() + make_interval(secs => ${SESSION_SECONDS})`,
    })
    .execute()
  return uid
}

export async function endSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

export async function endSessionsOf(tx: Tx, user: UserId): Promise<void> {
  await tx.deleteFrom('session').where('user_id', '=', user).execute()
}

/** Sessions that have run out, attempts counted and invitations long past are of no more use to anybody. */
export async function forgetEndedSessions(tx: Tx): Promise<void> {
  await forgetOldAttempts(tx)
  await tx
    .deleteFrom('session')
    .where('expires_at', '<', sql<Date>`portal_now()`)
    .execute()
  await tx
    .deleteFrom('invitation')
    .where('expires_at', '<', sql<Date>`portal_now() - interval '30 days'`)
    .execute()
}
