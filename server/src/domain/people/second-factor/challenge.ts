import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import { ANSWERS_PER_CHALLENGE, CHALLENGE_MINUTES } from '@trainyard/contract/words/second-factor.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { ChallengePurpose } from '../../../db/schema/second-factor.ts'
import { hashToken } from '../../../core/tokens.ts'

/** Somebody who is asked for more: at a sign-in by the password that was right, later by their session. */
export type Challenged =
  | { readonly purpose: 'second step'; readonly user: UserId; readonly passwordHash: string }
  | { readonly purpose: 'passkey login' }
  | { readonly purpose: 'new passkey' | 'proof'; readonly user: UserId }

/** An answer must come with it: a hash of what names the browser of a sign-in, or the session's. */
type Bound = Buffer

/** The browser of a sign-in. Its address is left out: a phone changes that between two steps. */
export const browserBound = (userAgent: string | undefined): Bound => hashToken(`browser ${userAgent ?? ''}`)

export const passwordDigest = (passwordHash: string): Buffer => hashToken(passwordHash)

/** Asks for more, and answers the challenge: 32 random bytes, of which the database keeps a hash. */
export async function openChallenge(db: Db, challenged: Challenged, boundTo: Bound): Promise<Buffer> {
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

/** A challenge that hears one more answer. */
export interface Heard {
  readonly user: UserId | null
  readonly passwordDigest: Buffer | null
  /** False: this answer is the last that it hears. */
  readonly hearsMore: boolean
  readonly now: Date
}

/**
 * Counts an answer before it is looked at, so that of many at once, in however many processes, no more are heard than a
 * challenge allows. Returns undefined where it hears none: unknown, too old, answered, tried out, or of another browser.
 */
export async function hearAnswer(
  db: Db,
  challenge: string,
  of: { readonly purpose: ChallengePurpose; readonly boundTo: Bound },
): Promise<Heard | undefined> {
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
  return { user, passwordDigest: password_digest, hearsMore: tried < ANSWERS_PER_CHALLENGE, now }
}

/** Uses a challenge up; false where another answer has. */
export async function useChallenge(tx: Tx, challenge: string): Promise<boolean> {
  const used = await tx
    .deleteFrom('challenge')
    .where('token_hash', '=', hashToken(challenge))
    .returning('purpose')
    .executeTakeFirst()
  return used !== undefined
}

/** Challenges and resets that have run out are of no more use to anybody. */
export async function forgetOldChallenges(tx: Tx): Promise<void> {
  for (const table of ['challenge', 'second_factor_reset'] as const) {
    await tx
      .deleteFrom(table)
      .where('expires_at', '<', sql<Date>`portal_now()`)
      .execute()
  }
}
