import { normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { Db } from '../../../db/schema.ts'
import { networkOf } from '../../../core/network.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { type Account, findAccount } from './account.ts'
import { giveBackAttempt, laneOf, lookUpInTurn, refuseWithoutAttempts, reserveAttempt } from './attempts.ts'
import { isOfPassword, knownBrowser } from './known-browser.ts'
import { hashInTurn, isPassword } from './passwords.ts'

/** An account whose password was right. */
export type Proven = Account & { readonly passwordHash: string }

export interface Try {
  readonly email: string
  readonly password: string
  readonly address: string
  /** The cookie that says who has signed in with this browser before. */
  readonly knownBrowser: string | undefined
  /** True of somebody who is signed in: strangers never make them wait for long. */
  readonly signedIn?: true
}

/**
 * Returns the account of a right password; null for a wrong one and for nobody's, alike and in the same time. Each
 * try is an attempt of its lane, see docs/decisions/081.
 * @throws Problem tooMany, where the lane has no attempt left
 */
export async function tryPassword(db: Db, seal: Seal, tried: Try): Promise<Proven | null> {
  const email = normaliseEmail(tried.email)
  const mark = knownBrowser(seal, tried.knownBrowser, email)
  const known = mark !== null || tried.signedIn === true
  const who = { known, address: networkOf(tried.address), account: email }
  // Whoever has no attempt left waits for no turn to have a password hashed.
  const { account, lane } = await lookUpInTurn(who, async () => {
    const account = await findAccount(db, { email })
    // A browser that its person has signed in with is tried apart from all others, see docs/decisions/081.
    const browser = mark !== null && isOfPassword(seal, mark, account?.passwordHash ?? '') ? mark.nonce : null
    const lane = laneOf(seal, 'login lane', browser ?? email)
    await refuseWithoutAttempts(db, lane)
    return { account, lane }
  })
  const right = await hashInTurn(who, async () => {
    await reserveAttempt(db, lane)
    return isPassword(tried.password, account?.passwordHash)
  })
  if (!right) return null
  await giveBackAttempt(db, lane)
  return { ...account!, passwordHash: account!.passwordHash! }
}
