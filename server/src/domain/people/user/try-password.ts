import { normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { Db } from '../../../db/schema.ts'
import { networkOf } from '../../../core/network.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { type Account, findAccount } from './account.ts'
import { giveBackAttempt, laneOf, lookUpInTurn, refuseWithoutAttempts, reserveAttempt } from './attempts.ts'
import { isOfPassword, knownBrowser } from './known-browser.ts'
import { hashInTurn, isPassword } from './passwords.ts'

/** Account whose password was verified. */
export type Proven = Account & { readonly passwordHash: string }

export interface Try {
  readonly email: string
  readonly password: string
  readonly address: string
  /** Device cookie of the browser. */
  readonly knownBrowser: string | undefined
  /** True for a signed-in user. Like known browsers, they are not delayed by unknown clients. */
  readonly signedIn?: true
}

/**
 * Returns the account if the password is correct, and null for a wrong password or an unknown e-mail, in the same time.
 * Each call counts as an attempt of its lane, see docs/decisions/081.
 * @throws Problem tooMany if the lane has no attempts left
 */
export async function tryPassword(db: Db, seal: Seal, tried: Try): Promise<Proven | null> {
  const email = normaliseEmail(tried.email)
  const mark = knownBrowser(seal, tried.knownBrowser, email)
  const known = mark !== null || tried.signedIn === true
  const who = { known, address: networkOf(tried.address), account: email }
  // Checked before hashing, so that clients without attempts do not occupy the hash queue.
  const { account, lane } = await lookUpInTurn(who, async () => {
    const account = await findAccount(db, { email })
    // Known browsers have a separate lane, see docs/decisions/081.
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
