import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { SessionId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { sessionStands } from '../../../core/session-stands.ts'
import { hashToken } from '../../../core/tokens.ts'
import { forgetOldAttempts } from './attempts.ts'

/** A session ends seven days after it began, however much it was used. */
export const SESSION_SECONDS = 7 * 24 * 60 * 60

/** Characters that are kept of what a browser says of itself. */
export const USER_AGENT_LENGTH = 512

/** The place at which somebody signs in. */
export interface SignInPlace {
  readonly address: string
  /** The header User-Agent, where it was sent. */
  readonly userAgent: string | undefined
  /** The installation's idle limit as the session is opened; null: there is none. */
  readonly idleMinutes: number | null
}

/** Opens a session and answers its token; only the token's hash is kept. */
export async function openSession(tx: Tx, user: UserId, place?: SignInPlace): Promise<string> {
  const uid = randomBytes(32).toString('base64url')
  await tx
    .insertInto('session')
    .values({
      token_hash: hashToken(uid),
      user_id: user,
      address: place?.address ?? null,
      idle_minutes: place?.idleMinutes ?? null,
      user_agent: place?.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
      expires_at: sql<Date>`portal_now() + make_interval(secs => ${SESSION_SECONDS})`,
    })
    .execute()
  return uid
}

export async function endSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

/** Ends every session of a person: their password or role is another one from now on, or an admin signs them out. */
export async function endSessionsOf(tx: Tx, user: UserId): Promise<void> {
  await tx.deleteFrom('session').where('user_id', '=', user).execute()
}

/** Ends a person's session by its id; false where they have none of that id. */
export async function endSessionOf(tx: Tx, user: UserId, id: string): Promise<boolean> {
  const ended = await tx
    .deleteFrom('session')
    .where('user_id', '=', user)
    .where('id', '=', id as SessionId)
    .where(sessionStands())
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/** Ends a person's sessions but the one of this token hash, and answers how many these were. */
export async function endOtherSessions(tx: Tx, user: UserId, present: Buffer | null): Promise<number> {
  const ended = await tx
    .deleteFrom('session')
    .where('user_id', '=', user)
    .$if(present !== null, (q) => q.where('token_hash', '<>', present!))
    .returning(sessionStands().as('stood'))
    .execute()
  return ended.filter(({ stood }) => stood).length
}

/** Returns a person's sessions that stand, the last seen first. */
export const sessionsOf = (db: Db, user: UserId) =>
  db
    .selectFrom('session')
    .select(['id', 'token_hash', 'created_at', 'seen_at', 'address', 'user_agent'])
    .where('user_id', '=', user)
    .where(sessionStands())
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(SESSIONS_SHOWN)
    .execute()

const SESSIONS_SHOWN = 100

/** Sessions that have run out, attempts counted and invitations long past are of no more use to anybody. */
export async function forgetEndedSessions(tx: Tx): Promise<void> {
  await forgetOldAttempts(tx)
  await tx
    .deleteFrom('session')
    .where(sql<boolean>`not ${sessionStands()}`)
    .execute()
  await tx
    .deleteFrom('invitation')
    .where('expires_at', '<', sql<Date>`portal_now() - interval '30 days'`)
    .execute()
}
