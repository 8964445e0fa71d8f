import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { type OpenId, OpenIdError } from './open-id-provider.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { completeSignIn } from '@trainyard/users/server/complete-sign-in.ts'
import { findOrCreateProviderUser } from './provider-user.ts'
import { attemptOf, storeAttempt, newToken, signInExpired, consumeAttempt } from './attempt.ts'
import { emailIn, hasUsedSecondFactor, identityOf, requireAdminSecondFactor } from './identity.ts'
import { type IdentityProvider, organisationOfEmail, providerOf } from './provider.ts'
import { recordSuccessfulSignIn, requireUnchanged } from './settings.ts'
import { describeTestSignIn } from './sign-in-test.ts'

export interface SignInDependencies {
  readonly seal: Seal
  readonly jobs: JobQueue
  readonly openId: OpenId
  readonly publicUrl: string
}

export const providerSignInHandlers = ({
  seal,
  jobs,
  openId,
  publicUrl,
}: SignInDependencies): HandlersOf<'providerSignIn'> => ({
  start: prepared({
    async prepare(db, { body, waitFor }) {
      const organisation = await organisationOfEmail(db, body.email)
      const provider = organisation === null ? null : await providerOf(db, seal, organisation)
      if (provider === null) {
        throw new Problem(
          'notFound',
          'No organisation’s sign-in is set up for this e-mail. Please log in with your password.',
        )
      }
      waitFor(provider.organisation)
      const token = newToken()
      const attempt = attemptOf(seal, token, publicUrl)
      const hint = { email: body.email, groups: provider.groupClaim !== null }
      const address = await openId.signInUrl(provider.client, attempt, hint).catch(rethrowAsProblem(provider))
      return { token, address, organisation: provider.organisation }
    },
    async change(tx, { setSignInCookie }, { token, address, organisation }) {
      await storeAttempt(tx, token, { organisation, testedBy: null })
      setSignInCookie(token)
      return { address }
    },
  }),

  finish: prepared({
    async prepare(db, { body, signInCookie, setRefusalSubject, waitFor }) {
      const { token, organisation, testedBy } = await consumeAttempt(db, signInCookie)
      setRefusalSubject({ organisation, email: null })
      const provider = await providerOf(db, seal, organisation)
      if (provider === null) throw signInExpired()
      waitFor(organisation)
      const attempt = attemptOf(seal, token, publicUrl)
      const pendingClaims = openId.exchangeCode(provider.client, attempt, body.answer)
      if (testedBy !== null) return { provider, testedBy, claims: await pendingClaims.catch(messageOf) } as const
      const claims = await pendingClaims.catch(rethrowAsProblem(provider))
      setRefusalSubject({ organisation, email: emailIn(claims) })
      const signOutAddress = provider.signsOutThere
        ? await openId.signOutUrl(provider.client, `${publicUrl}/login`).catch(rethrowAsProblem(provider))
        : null
      return { provider, testedBy, claims, signOutAddress } as const
    },
    async change(tx, context, taken) {
      context.setSignInCookie(null)
      const { provider } = taken
      if (taken.testedBy !== null) {
        const tester = await findSignInUser(tx, { id: taken.testedBy })
        if (tester !== undefined) context.setActor(tester.actor)
        const { works, found } = describeTestSignIn(taken.claims, provider)
        if (works && typeof taken.claims !== 'string') await recordSuccessfulSignIn(tx, provider, taken.claims)
        return {
          outcome: 'tested' as const,
          message: works ? 'The sign-in works.' : 'Users cannot sign in with these settings.',
          works,
          found,
        }
      }
      const { claims, signOutAddress } = taken
      const { auditChange } = context
      const actor = await findOrCreateProviderUser(tx, provider, identityOf(claims, provider), { jobs, auditChange })
      if ('unconfirmed' in actor) {
        requireAdminSecondFactor(actor.role, claims, provider)
        const change = actor.change === 'address' ? 'your new address' : 'that you sign in through your organisation'
        return {
          outcome: 'unconfirmed' as const,
          message: `We have mailed ${actor.unconfirmed} a link. Open it to confirm ${change}, then sign in again.`,
        }
      }
      requireAdminSecondFactor(actor.role, claims, provider)
      await recordSuccessfulSignIn(tx, provider, claims)
      await requireUnchanged(tx, provider)
      const entered = await completeSignIn(tx, seal, context, {
        actor,
        passwordHash: null,
        message: 'Login successful.',
        authenticated: { by: 'provider', usedSecondFactor: hasUsedSecondFactor(claims) },
      })
      return { outcome: 'entered' as const, ...entered, signOutAddress }
    },
  }),
})

export function messageOf(error: unknown): string {
  if (error instanceof OpenIdError) return error.message
  throw error
}

function rethrowAsProblem({ passwordsAllowed }: IdentityProvider): (error: unknown) => never {
  return (error) => {
    const sentence = messageOf(error)
    if (!(error instanceof OpenIdError) || error.kind !== 'unreachable') throw new Problem('forbidden', sentence)
    const otherWay = passwordsAllowed ? ', or log in with your password' : ''
    throw new Problem(
      'unavailable',
      `Your organisation's sign-in is not available right now: ${sentence} Please try again shortly${otherWay}.`,
      30,
    )
  }
}
