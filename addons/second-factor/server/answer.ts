import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { secondLogin } from '../contract/second-factor.ts'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { SECOND_FACTOR } from '../contract/second-factor-words.ts'
import type { SecondFactorMethod } from '@trainyard/platform/contract/words/sign-in.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { releaseAttempt, laneOf, reserveAttempt } from '@trainyard/users/server/sign-in-attempts.ts'
import { verifyAppCode, consumeAppCode } from './app-codes.ts'
import { verifyAssertion, consumeAssertion } from './passkey.ts'
import { isRecoveryCode, isUnusedRecoveryCode, consumeRecoveryCode } from './recovery-codes.ts'
import type { RelyingParty } from './relying-party.ts'

export type SecondFactorAnswer = BodyOf<typeof secondLogin.loginSecond>

export interface AnswerDependencies {
  readonly seal: Seal
  readonly relyingParty: RelyingParty | null
}

export interface VerifiedAnswer {
  readonly method: SecondFactorMethod
  /** Consumes the answer. Returns false if it was used concurrently. */
  consume(tx: Tx): Promise<boolean>
}

/**
 * Verifies the answer of a second step. Returns null if it is wrong.
 * @throws Problem tooMany if the user has no attempts left for app codes
 */
export async function verifySecondFactor(
  db: Db,
  parts: AnswerDependencies,
  input: { readonly user: UserId; readonly answer: SecondFactorAnswer; readonly now: Date },
): Promise<VerifiedAnswer | null> {
  const { user, now } = input
  const { challenge, code, assertion } = input.answer
  if (assertion === undefined) return verifyCode(db, parts.seal, { user, code: code!, now })
  const answer = parts.relyingParty && (await verifyAssertion(db, parts.relyingParty, { user, challenge, assertion }))
  return answer && { method: 'passkey', consume: (tx) => consumeAssertion(tx, answer) }
}

/**
 * Verifies a code of an authenticator app, or a recovery code. Returns null if it is wrong. An attempt with an app code
 * is counted before the comparison and released if the code is correct, so only wrong codes count. Recovery codes and
 * passkeys cannot be guessed and have no limit per user. With a limit, an attacker who knows the password could lock
 * the user out with wrong answers.
 * @throws Problem tooMany if the user has no attempts left for app codes
 */
export async function verifyCode(
  db: Db,
  seal: Seal,
  { user, code, now }: { readonly user: UserId; readonly code: string; readonly now: Date },
): Promise<VerifiedAnswer | null> {
  if (isRecoveryCode(code)) {
    const unused = await isUnusedRecoveryCode(db, user, code)
    return unused ? { method: 'recovery', consume: (tx) => consumeRecoveryCode(tx, user, code) } : null
  }
  const lane = laneOf(seal, 'app code lane', user)
  await reserveAttempt(db, lane)
  const right = await verifyAppCode(db, seal, { user, code, now })
  if (right === null) return null
  await releaseAttempt(db, lane)
  return { method: 'totp', consume: (tx) => consumeAppCode(tx, user, right) }
}

export const wrongAnswer = ({ assertion }: SecondFactorAnswer, hasAttemptsLeft: boolean): Problem => {
  if (!hasAttemptsLeft) return new Problem('signedOut', SECOND_FACTOR.tooManyWrong)
  return new Problem('secondFactor', assertion === undefined ? SECOND_FACTOR.wrongCode : SECOND_FACTOR.wrongPasskey)
}
