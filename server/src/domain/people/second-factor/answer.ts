import type { BodyOf } from '@trainyard/contract/call.ts'
import type { session } from '@trainyard/contract/calls/user.ts'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import { SECOND_FACTOR, type SecondWay } from '@trainyard/contract/words/second-factor.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { Problem } from '../../../core/errors.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { giveBackAttempt, laneOf, reserveAttempt } from '../user/attempts.ts'
import { readAppCode, takeAppCode } from './app-codes.ts'
import { readAnswer, takeAnswer } from './passkey.ts'
import { isRecoveryCode, isUnusedRecoveryCode, takeRecoveryCode } from './recovery-codes.ts'
import type { RelyingParty } from './relying-party.ts'

export type SecondAnswer = BodyOf<typeof session.loginSecond>

export interface AnswerParts {
  readonly seal: Seal
  readonly relyingParty: RelyingParty | null
}

/** Correct answer that has not been consumed yet. */
export interface RightAnswer {
  readonly way: SecondWay
  /** Consumes the answer in the sign-in's transaction. Returns false if it was used concurrently. */
  take(tx: Tx): Promise<boolean>
}

/**
 * Verifies the answer of a second step. Returns null if it is wrong. An attempt is reserved before the comparison and
 * released if the answer is correct, so only wrong answers count.
 * @throws Problem tooMany if the account has no attempts left
 */
export async function readSecondAnswer(
  db: Db,
  { seal, relyingParty }: AnswerParts,
  asked: { readonly user: UserId; readonly answer: SecondAnswer; readonly now: Date },
): Promise<RightAnswer | null> {
  const { user, now } = asked
  const { challenge, code, assertion } = asked.answer
  const lane = laneOf(seal, 'second factor lane', user)
  const read = async (): Promise<RightAnswer | null> => {
    if (assertion !== undefined) {
      const answer = relyingParty && (await readAnswer(db, relyingParty, { user, challenge, assertion }))
      return answer && { way: 'passkey', take: (tx) => takeAnswer(tx, answer) }
    }
    const typed = code!.trim()
    if (isRecoveryCode(typed)) {
      const unused = await isUnusedRecoveryCode(db, user, typed)
      return unused ? { way: 'recovery', take: (tx) => takeRecoveryCode(tx, user, typed) } : null
    }
    const right = await readAppCode(db, seal, { user, code: typed.replaceAll(' ', ''), now })
    return right && { way: 'totp', take: (tx) => takeAppCode(tx, user, right) }
  }
  await reserveAttempt(db, lane)
  const right = await read()
  if (right !== null) await giveBackAttempt(db, lane)
  return right
}

/** Returns the problem for a wrong answer. The user can retry while the challenge has attempts left. */
export const wrongAnswer = ({ assertion }: SecondAnswer, hearsMore: boolean): Problem => {
  if (!hearsMore) return new Problem('signedOut', SECOND_FACTOR.tooManyWrong)
  return new Problem('secondFactor', assertion === undefined ? SECOND_FACTOR.wrongCode : SECOND_FACTOR.wrongPasskey)
}
