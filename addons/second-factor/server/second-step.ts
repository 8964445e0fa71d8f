import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { SECOND_FACTOR } from '../contract/second-factor-words.ts'
import type { SecondFactorMethod } from '@trainyard/platform/contract/words/sign-in.ts'
import { browserBinding, createChallenge } from './challenge.ts'
import { factorsOf, hasFactor } from './factors.ts'
import { assertionOptions } from './passkey.ts'
import { recoveryCodesLeft } from './recovery-codes.ts'
import { relyingPartyOf } from './relying-party.ts'

export interface CompletedFirstStep {
  readonly actor: Actor
  readonly passwordHash: string
  readonly userAgent: string | undefined
  readonly publicUrl: string
}

/** @throws Problem secondFactor with a challenge and the ways to answer it */
export async function requireSecondStep(
  db: Db,
  { actor, passwordHash, userAgent, publicUrl }: CompletedFirstStep,
): Promise<null> {
  const relyingParty = relyingPartyOf(publicUrl)
  const factors = await factorsOf(db, actor.id)
  if (!hasFactor(factors)) return null
  const challenge = await createChallenge(
    db,
    { purpose: 'second step', user: actor.id, passwordHash },
    browserBinding(userAgent),
  )
  const signs = factors.passkeys > 0 && relyingParty !== null
  const methods: SecondFactorMethod[] = []
  if (factors.app) methods.push('totp')
  if (signs) methods.push('passkey')
  if ((await recoveryCodesLeft(db, actor.id)) > 0) methods.push('recovery')
  throw new Problem('secondFactor', SECOND_FACTOR.asked, null, {
    challenge: challenge.toString('base64url'),
    ways: methods,
    passkey: signs ? await assertionOptions(db, relyingParty, { user: actor.id, challenge }) : null,
  })
}
