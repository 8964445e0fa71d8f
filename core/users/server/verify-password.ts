import { normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { networkOf } from '@trainyard/platform/server/core/network.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { type SignInUser, findSignInUser } from './sign-in-user.ts'
import { releaseAttempt, laneOf, queueLookup, requireAttemptsLeft, reserveAttempt } from './sign-in-attempts.ts'
import { isForPassword, findBrowserToken } from './known-browser.ts'
import { queueHash, isPasswordCorrect } from './passwords.ts'

export type VerifiedUser = SignInUser & { readonly passwordHash: string }

export interface PasswordAttempt {
  readonly email: string
  readonly password: string
  readonly address: string
  readonly knownBrowser: string | undefined
  /** True for a user with a session, who is not delayed by unknown clients. */
  readonly signedIn?: true
  /** Aborts when the client closes its connection: the password is then not verified. */
  readonly closed: AbortSignal
}

/**
 * Verifies a password. Unknown e-mails take the same time.
 * @throws Problem tooMany
 */
export async function verifyPassword(db: Db, seal: Seal, attempt: PasswordAttempt): Promise<VerifiedUser | null> {
  const email = normaliseEmail(attempt.email)
  const token = findBrowserToken(seal, attempt.knownBrowser, email)
  const isKnown = token !== null || attempt.signedIn === true
  const { closed } = attempt
  const client = { known: isKnown, address: networkOf(attempt.address), user: email, closed }
  // Attempts are checked before hashing, so that clients without attempts do not occupy the hash queue.
  const { found, lane } = await queueLookup(client, async () => {
    const found = await findSignInUser(db, { email })
    // Known browsers have a separate lane.
    const browser = token !== null && isForPassword(seal, token, found?.passwordHash ?? '') ? token.nonce : null
    const lane = laneOf(seal, 'login lane', browser ?? email)
    await requireAttemptsLeft(db, lane)
    return { found, lane }
  })
  const isCorrect = await queueHash(client, async () => {
    await reserveAttempt(db, lane)
    return isPasswordCorrect(attempt.password, found?.passwordHash)
  })
  if (!isCorrect) return null
  await releaseAttempt(db, lane)
  return { ...found!, passwordHash: found!.passwordHash! }
}
