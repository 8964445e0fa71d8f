import { type HandlersOf, prepared } from '../../../core/handler.ts'
import { Problem } from '../../../core/errors.ts'
import { type OpenId, OpenIdError } from '../../../providers/open-id.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { findAccount } from '../user/account.ts'
import { enter } from '../user/enter.ts'
import { accountOf } from './account.ts'
import { attemptOf, keepAttempt, newToken, signInIsOver, takeAttempt } from './attempt.ts'
import { emailIn, personOf, refuseWithoutSecondFactor } from './person.ts'
import { type IdentityProvider, organisationOfEmail, providerOf } from './provider.ts'
import { noteThatItWorks } from './settings.ts'
import { tested } from './tested.ts'

export interface SignInParts {
  readonly seal: Seal
  readonly openId: OpenId
  readonly publicUrl: string
}

export const providerSignInHandlers = ({ seal, openId, publicUrl }: SignInParts): HandlersOf<'providerSignIn'> => ({
  start: prepared({
    async prepare(db, { body }) {
      const organisation = await organisationOfEmail(db, body.email)
      const provider = organisation === null ? null : await providerOf(db, seal, organisation)
      if (provider === null) {
        throw new Problem('notFound', 'No organisation signs in with this e-mail. Please log in with your password.')
      }
      const token = newToken()
      const attempt = attemptOf(seal, token, publicUrl)
      const hint = { email: body.email, groups: provider.groupClaim !== null }
      const address = await openId.addressOf(provider.client, attempt, hint).catch(tell(provider))
      return { token, address, organisation: provider.organisation }
    },
    async change(tx, { setSignInCookie }, { token, address, organisation }) {
      await keepAttempt(tx, token, { organisation, testedBy: null })
      setSignInCookie(token)
      return { address }
    },
  }),

  finish: prepared({
    async prepare(db, { body, signInCookie, concern }) {
      const { token, organisation, testedBy } = await takeAttempt(db, signInCookie)
      concern({ organisation, email: null })
      const provider = await providerOf(db, seal, organisation)
      if (provider === null) throw signInIsOver()
      const attempt = attemptOf(seal, token, publicUrl)
      const asked = openId.claimsOf(provider.client, attempt, body.answer)
      if (testedBy !== null) return { provider, testedBy, claims: await asked.catch(sentenceOf) } as const
      const claims = await asked.catch(tell(provider))
      concern({ organisation, email: emailIn(claims) })
      const signOutAddress = provider.signsOutThere
        ? await openId.signOutAddress(provider.client, `${publicUrl}/login`).catch(tell(provider))
        : null
      return { provider, testedBy, claims, signOutAddress } as const
    },
    async change(tx, asked, taken) {
      asked.setSignInCookie(null)
      const { provider } = taken
      if (taken.testedBy !== null) {
        const tester = await findAccount(tx, { id: taken.testedBy })
        if (tester !== undefined) asked.actAs(tester.actor)
        const { works, found } = tested(taken.claims, provider)
        if (works && typeof taken.claims !== 'string') await noteThatItWorks(tx, provider, taken.claims)
        return {
          outcome: 'tested' as const,
          message: works ? 'The sign-in works.' : 'Nobody comes in like this.',
          works,
          found,
        }
      }
      const { claims, signOutAddress } = taken
      const actor = await accountOf(tx, provider, personOf(claims, provider), asked.auditChange)
      refuseWithoutSecondFactor(actor.role, claims, provider)
      await noteThatItWorks(tx, provider, claims)
      const entered = await enter(tx, seal, asked, {
        actor,
        passwordHash: null,
        message: 'Login successful.',
        throughProvider: true,
      })
      return { outcome: 'entered' as const, ...entered, signOutAddress }
    },
  }),
})

/** Returns the message of a failure at the provider. Rethrows other errors, which are bugs. */
export function sentenceOf(error: unknown): string {
  if (error instanceof OpenIdError) return error.message
  throw error
}

/**
 * Returns an error handler that turns a provider failure into a Problem, mentioning passwords if the organisation
 * allows them.
 */
function tell({ passwordsAllowed }: IdentityProvider): (error: unknown) => never {
  return (error) => {
    const sentence = sentenceOf(error)
    if (!(error instanceof OpenIdError) || error.kind !== 'unreachable') throw new Problem('forbidden', sentence)
    const otherWay = passwordsAllowed ? ', or log in with your password' : ''
    throw new Problem(
      'unavailable',
      `Your organisation's sign-in does not work just now: ${sentence} Please try again shortly${otherWay}.`,
      30,
    )
  }
}
