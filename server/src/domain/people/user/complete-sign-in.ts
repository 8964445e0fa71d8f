import type { Call } from '@trainyard/contract/call.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import type { CallContext } from '../../../core/handler.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { refuseIfProviderRequired } from './provider-required.ts'
import { rememberBrowser } from './known-browser.ts'
import { endSession, openSession } from './sessions.ts'

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

/** All sign-in methods end here. @throws Problem forbidden if only the organisation's provider is allowed */
export async function completeSignIn(
  tx: Tx,
  seal: Seal,
  context: SignInRequest,
  {
    actor,
    passwordHash,
    message,
    throughProvider = false,
  }: { actor: Actor; passwordHash: string | null; message: string; throughProvider?: boolean },
) {
  if (!throughProvider) await refuseIfProviderRequired(tx, actor)
  context.setActor(actor)
  if (context.browserSession !== null) await endSession(tx, context.browserSession)
  const { address, idleMinutes } = context
  const uid = await openSession(tx, actor.id, { address, idleMinutes, userAgent: context.header('user-agent') })
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
