import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId, SessionId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { CONFIRMED_MINUTES, SIGN_IN } from '@trainyard/platform/contract/words/sign-in.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { SessionRow } from '../tables.gen.ts'
import { ask, emit, event, hook } from '@trainyard/platform/server/core/events.ts'
import { sessionIsValid } from './valid-session.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { deleteExpiredAttempts } from './sign-in-attempts.ts'
import { invitationEnd } from './invitation-state.ts'
import { deleteSessionsOpened } from './queries.ts'

export const SESSION_SECONDS = 7 * 24 * 60 * 60

export const USER_AGENT_LENGTH = 512

export interface SignInClient {
  readonly address: string
  readonly userAgent: string | undefined
  /** Idle limit when the session is opened; null if there is none. */
  readonly idleMinutes: number | null
  /** The authority that authenticated the user. */
  readonly openedBy?: SessionRow['opened_by'] | undefined
}

/**
 * Opens a session and returns its token. Only the hash of the token is stored. Every sign-in method calls this function.
 * @throws Problem forbidden for a user whom the organisation's identity provider has deactivated
 * @param isConfirmed false if the sign-in does not count as a confirmation of the user's identity
 */
export async function openSession(tx: Tx, user: UserId, client?: SignInClient, isConfirmed = true): Promise<string> {
  await refuseDeactivated(tx, user)
  const uid = randomBytes(32).toString('base64url')
  await tx
    .insertInto('session')
    .values({
      token_hash: hashToken(uid),
      user_id: user,
      address: client?.address ?? null,
      idle_minutes: client?.idleMinutes ?? null,
      user_agent: client?.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
      opened_by: client?.openedBy ?? 'portal',
      ...(!isConfirmed && { confirmed_at: null }),
      expires_at: sql<Date>`portal_now() + make_interval(secs => ${SESSION_SECONDS})`,
    })
    .execute()
  await tx
    .updateTable('portal_user')
    .set({ signed_in_at: sql<Date>`portal_now()` })
    .where('id', '=', user)
    .where('signed_in_at', 'is', null)
    .execute()
  return uid
}

/**
 * Throws for a deactivated user. Locks the user, so that a concurrent deactivation ends the new session or is seen
 * here.
 */
async function refuseDeactivated(tx: Tx, user: UserId): Promise<void> {
  const found = await tx
    .selectFrom('portal_user')
    .select('deactivated_at')
    .where('id', '=', user)
    .forShare()
    .executeTakeFirst()
  if (found?.deactivated_at) {
    throw new Problem(
      'forbidden',
      'Your organisation has deactivated this account. Ask its administrator to activate it again.',
    )
  }
}

/** Records that the user of a session has confirmed their identity now. */
export async function confirmSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx
    .updateTable('session')
    .set({ confirmed_at: sql<Date>`portal_now()` })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/**
 * Throws unless the user signed in, by any method, or confirmed their identity within the last minutes.
 * @throws Problem confirmFirst
 */
export async function requireRecentSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  const recent = await tx
    .selectFrom('session')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where(
      sql<boolean>`greatest(created_at, confirmed_at) > portal_now() - make_interval(mins => ${CONFIRMED_MINUTES})`,
    )
    .executeTakeFirst()
  if (recent === undefined) throw new Problem('confirmFirst', SIGN_IN.confirm)
}

export async function endSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

/** Users who are signed out, except from the browser that asked for it. */
export const usersSignedOut = event<UserId>('users.signedOut')

/** Revokes the API keys of a user. The answer is the number of those that had not expired. */
export const keysRevoked = hook<UserId, number, Tx>('users.keysRevoked', 0, (first, second) => first + second)

/** The number of API keys of a user that have not expired. */
export const keysCounted = hook<UserId, number>('users.keysCounted', 0, (first, second) => first + second)

/**
 * Signs a user out everywhere. Also revokes the user's API keys, which an intruder may have created, and returns their
 * number.
 */
export async function endSessionsOf(tx: Tx, user: UserId): Promise<number> {
  await tx.deleteFrom('session').where('user_id', '=', user).execute()
  await emit(tx, usersSignedOut, [user])
  return revokeKeysOf(tx, user)
}

export const revokeKeysOf = (tx: Tx, user: UserId): Promise<number> => ask(tx, keysRevoked, user)

export const countKeysOf = (db: Db, user: UserId): Promise<number> => ask(db, keysCounted, user)

export async function endSessionOf(tx: Tx, user: UserId, id: string): Promise<boolean> {
  const ended = await tx
    .deleteFrom('session')
    .where('user_id', '=', user)
    .where('id', '=', id as SessionId)
    .where(sessionIsValid())
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/** Ends all sessions of a user but one. Returns the number of active ones ended. */
export async function endOtherSessions(tx: Tx, user: UserId, currentTokenHash: Buffer | null): Promise<number> {
  const ended = await tx
    .deleteFrom('session')
    .where('user_id', '=', user)
    .$if(currentTokenHash !== null, (q) => q.where('token_hash', '<>', currentTokenHash!))
    .returning(sessionIsValid().as('active'))
    .execute()
  await emit(tx, usersSignedOut, [user])
  return ended.filter(({ active }) => active).length
}

/**
 * Ends the sessions of an organisation's users that were opened through its identity provider, or those that were
 * opened with a password or a passkey. Sessions of superadmins, who never use the provider, do not end.
 * @param kept session of the actor, which does not end
 * @param among SQL condition for the alias `u` of the users
 */
export async function endSessionsOpened(
  tx: Tx,
  openedBy: 'portal' | 'provider',
  organisation: OrganisationId,
  kept: Buffer | null,
  among: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<void> {
  await deleteSessionsOpened(tx, organisation, openedBy, kept, among)
}

/** Ends the sessions that were opened with a password or a passkey, see `endSessionsOpened`. */
export const endPasswordSessions = (tx: Tx, organisation: OrganisationId, kept: Buffer | null): Promise<void> =>
  endSessionsOpened(tx, 'portal', organisation, kept)

export const sessionsOf = (db: Db, user: UserId) =>
  db
    .selectFrom('session')
    .select(['id', 'token_hash', 'created_at', 'seen_at', 'address', 'user_agent'])
    .where('user_id', '=', user)
    .where(sessionIsValid())
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(SESSIONS_SHOWN)
    .execute()

const SESSIONS_SHOWN = 100

export async function deleteExpiredSessions(tx: Tx): Promise<void> {
  await deleteExpiredAttempts(tx)
  await tx
    .deleteFrom('session')
    .where(sql<boolean>`not ${sessionIsValid()}`)
    .execute()
  await tx
    .deleteFrom('invitation')
    .where('expires_at', '<', sql<Date>`portal_now() - interval '30 days'`)
    .where(invitationEnd(), '<', sql<Date>`portal_now() - interval '30 days'`)
    .execute()
}
