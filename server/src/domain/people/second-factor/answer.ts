import type { BodyOf } from '@trainyard/contract/call.ts'
import type { session } from '@trainyard/contract/calls/user.ts'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import { SECOND_FACTOR, type SecondFactorMethod } from '@trainyard/contract/words/second-factor.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { Problem } from '../../../core/errors.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { releaseAttempt, laneOf, reserveAttempt } from '../user/attempts.ts'
import { verifyAppCode, consumeAppCode } from './app-codes.ts'
import { verifyAssertion, consumeAssertion } from './passkey.ts'
import { isRecoveryCode, isUnusedRecoveryCode, consumeRecoveryCode } from './recovery-codes.ts'
import type { RelyingParty } from './relying-party.ts'

export type SecondAnswer = BodyOf<typeof session.loginSecond>

export interface AnswerParts {
  readonly seal: Seal
  readonly relyingParty: RelyingParty | null
}

export interface VerifiedAnswer {
  readonly method: SecondFactorMethod
  /** False if it was used concurrently. */
  consume(tx: Tx): Promise<boolean>
}

/** Null if wrong. Reserved first, so that only wrong answers count. @throws Problem tooMany */
export async function verifySecondAnswer(
  db: Db,
  { seal, relyingParty }: AnswerParts,
  input: { readonly user: UserId; readonly answer: SecondAnswer; readonly now: Date },
): Promise<VerifiedAnswer | null> {
  const { user, now } = input
  const { challenge, code, assertion } = input.answer
  const lane = laneOf(seal, 'second factor lane', user)
  const verify = async (): Promise<VerifiedAnswer | null> => {
    if (assertion !== undefined) {
      const answer = relyingParty && (await verifyAssertion(db, relyingParty, { user, challenge, assertion }))
      return answer && { method: 'passkey', consume: (tx) => consumeAssertion(tx, answer) }
    }
    const typed = code!.trim()
    if (isRecoveryCode(typed)) {
      const unused = await isUnusedRecoveryCode(db, user, typed)
      return unused ? { method: 'recovery', consume: (tx) => consumeRecoveryCode(tx, user, typed) } : null
    }
    const right = await verifyAppCode(db, seal, { user, code: typed.replaceAll(' ', ''), now })
    return right && { method: 'totp', consume: (tx) => consumeAppCode(tx, user, right) }
  }
  await reserveAttempt(db, lane)
  const right = await verify()
  if (right !== null) await releaseAttempt(db, lane)
  return right
}

export const wrongAnswer = ({ assertion }: SecondAnswer, hasAttemptsLeft: boolean): Problem => {
  if (!hasAttemptsLeft) return new Problem('signedOut', SECOND_FACTOR.tooManyWrong)
  return new Problem('secondFactor', assertion === undefined ? SECOND_FACTOR.wrongCode : SECOND_FACTOR.wrongPasskey)
}
