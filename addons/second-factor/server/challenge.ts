import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { ANSWERS_PER_CHALLENGE, CHALLENGE_MINUTES } from '../contract/second-factor-words.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { ChallengeRow } from '../tables.gen.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'

/**
 * Purpose of a challenge. The second step of a sign-in is bound to the password that was correct. A new passkey and a
 * proof are bound to a session.
 */
export type NewChallenge =
  | { readonly purpose: 'second step'; readonly user: UserId; readonly passwordHash: string }
  | { readonly purpose: 'passkey login' }
  | { readonly purpose: 'new passkey' | 'proof'; readonly user: UserId }

/** Hash of the browser during a sign-in, otherwise of the session token. */
type Binding = Buffer

/**
 * Returns the hash of a browser. It excludes the IP address, because a phone's address can change between the two
 * steps.
 */
export const browserBinding = (userAgent: string | undefined): Binding => hashToken(`browser ${userAgent ?? ''}`)

export const passwordDigest = (passwordHash: string): Buffer => hashToken(passwordHash)

/** Creates a challenge of 32 random bytes. The database stores only a hash. */
export async function createChallenge(db: Db, challenged: NewChallenge, boundTo: Binding): Promise<Buffer> {
  const bytes = randomBytes(32)
  await db
    .insertInto('challenge')
    .values({
      token_hash: hashToken(bytes.toString('base64url')),
      purpose: challenged.purpose,
      user_id: 'user' in challenged ? challenged.user : null,
      password_digest: 'passwordHash' in challenged ? passwordDigest(challenged.passwordHash) : null,
      bound_to: boundTo,
      expires_at: sql<Date>`portal_now() + make_interval(mins => ${CHALLENGE_MINUTES})`,
    })
    .execute()
  return bytes
}

export interface ReservedAnswer {
  readonly user: UserId | null
  readonly passwordDigest: Buffer | null
  readonly hasAttemptsLeft: boolean
  readonly now: Date
}

/** Counts an answer before it is verified, so that concurrent requests cannot exceed the limit. */
export async function reserveAnswer(
  db: Db,
  challenge: string,
  of: { readonly purpose: ChallengeRow['purpose']; readonly boundTo: Binding },
): Promise<ReservedAnswer | undefined> {
  const row = await db
    .updateTable('challenge')
    .set({ tried: sql`tried + 1` })
    .where('token_hash', '=', hashToken(challenge))
    .where('purpose', '=', of.purpose)
    .where('bound_to', '=', of.boundTo)
    .where('tried', '<', ANSWERS_PER_CHALLENGE)
    .where('expires_at', '>', sql<Date>`portal_now()`)
    .returning(['user_id', 'password_digest', 'tried', sql<Date>`portal_now()`.as('now')])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { user_id: user, password_digest, tried, now } = row
  return { user, passwordDigest: password_digest, hasAttemptsLeft: tried < ANSWERS_PER_CHALLENGE, now }
}

/** Consumes a challenge. Returns false if another answer has consumed it. */
export async function useChallenge(tx: Tx, challenge: string): Promise<boolean> {
  const used = await tx
    .deleteFrom('challenge')
    .where('token_hash', '=', hashToken(challenge))
    .returning('purpose')
    .executeTakeFirst()
  return used !== undefined
}

export async function deleteExpiredChallenges(tx: Tx): Promise<void> {
  for (const table of ['challenge', 'second_factor_reset'] as const) {
    await tx
      .deleteFrom(table)
      .where('expires_at', '<', sql<Date>`portal_now()`)
      .execute()
  }
}
