import type { Call } from '@trainyard/contract/call.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import type { Asked } from '../../../core/handler.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { refuseWhereProviderAlone } from './provider-alone.ts'
import { rememberBrowser } from './known-browser.ts'
import { endSession, openSession } from './sessions.ts'

/** Parts of a request that a sign-in needs. */
export type Entering = Pick<
  Asked<Call>,
  | 'actAs'
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
 * @param passwordHash null for a sign-in without password; the browser then gets no lane of its own for password
 * attempts
 * @param throughProvider true if the organisation's identity provider authenticated the user
 * @throws Problem forbidden if the organisation allows only its own provider and another method was used
 */
export async function enter(
  tx: Tx,
  seal: Seal,
  asked: Entering,
  {
    actor,
    passwordHash,
    message,
    throughProvider = false,
  }: { actor: Actor; passwordHash: string | null; message: string; throughProvider?: boolean },
) {
  if (!throughProvider) await refuseWhereProviderAlone(tx, actor)
  asked.actAs(actor)
  if (asked.browserSession !== null) await endSession(tx, asked.browserSession)
  const { address, idleMinutes } = asked
  const uid = await openSession(tx, actor.id, { address, idleMinutes, userAgent: asked.header('user-agent') })
  asked.setSessionCookie(uid)
  if (passwordHash !== null)
    asked.rememberBrowser(rememberBrowser(seal, asked.knownBrowser, { email: actor.email, passwordHash }))
  return {
    email: actor.email,
    organization: actor.organisation?.name ?? null,
    uid,
    session: actor.role,
    message,
  }
}
