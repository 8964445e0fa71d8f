import type { Call } from '@trainyard/platform/contract/call.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { CallContext } from '@trainyard/platform/server/core/handler.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { rememberBrowser } from './known-browser.ts'
import { endSession, openSession } from './sessions.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'

export type SignInRequest = Pick<
  CallContext<Call>,
  | 'setActor'
  | 'address'
  | 'browserSession'
  | 'header'
  | 'idleMinutes'
  | 'knownBrowser'
  | 'rememberBrowser'
  | 'setSessionCookie'
>

/**
 * Opens a session, replaces this browser's previous session and remembers the browser. All sign-in methods end here.
 * Returns the reply of the sign-in.
 * @param passwordHash null for a sign-in without password. Wrong passwords from this browser are then counted together
 * with those of unknown browsers
 * @param authenticated set if the organisation's identity provider or another system authenticated the user. If it requested
 * no second factor, the session starts unconfirmed: it cannot change sign-in methods until the user confirms their
 * identity.
 * @throws Problem forbidden if the organisation allows only its own provider and another method was used
 */
export async function completeSignIn(
  tx: Tx,
  seal: Seal,
  context: SignInRequest,
  {
    actor,
    passwordHash,
    message,
    authenticated,
  }: {
    actor: Actor
    passwordHash: string | null
    message: string
    authenticated?: { readonly by: 'provider' | 'system'; readonly usedSecondFactor: boolean }
  },
) {
  if (authenticated === undefined) await refuseIfProviderRequired(tx, actor)
  context.setActor(actor)
  if (context.browserSession !== null) await endSession(tx, context.browserSession)
  const { address, idleMinutes } = context
  const client = {
    address,
    idleMinutes,
    userAgent: context.header('user-agent'),
    openedBy: authenticated?.by,
  }
  const uid = await openSession(tx, actor.id, client, authenticated?.usedSecondFactor ?? true)
  context.setSessionCookie(uid)
  if (passwordHash !== null)
    context.rememberBrowser(rememberBrowser(seal, context.knownBrowser, { email: actor.email, passwordHash }))
  return {
    email: actor.email,
    organization: actor.organisation?.name ?? null,
    uid,
    session: actor.role,
    message,
  }
}

/**
 * Throws if the user must sign in through the organisation's provider. Call after the password was verified, so that a
 * guesser learns nothing.
 * @throws Problem forbidden
 */
export async function refuseIfProviderRequired(db: Db, { organisation, role }: Actor): Promise<void> {
  if (organisation === null || role === 'superadmin') return
  const { passwords_allowed: allowed } = await db
    .selectFrom('organisation')
    .select('passwords_allowed')
    .where('id', '=', organisation.id)
    .executeTakeFirstOrThrow()
  if (allowed) return
  throw new Problem(
    'forbidden',
    'Your organisation signs in through its own provider. Please choose Sign in with your organisation.',
  )
}
