import type { Call } from '@trainyard/contract/call.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import type { Asked } from '../../../core/handler.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { refuseWhereProviderAlone } from './provider-alone.ts'
import { rememberBrowser } from './known-browser.ts'
import { endSession, openSession } from './sessions.ts'

/** The parts of a request by which somebody signs in. */
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
 * Opens a session in place of the one that this browser had, and remembers the browser: the one way in, however
 * somebody proved who they are. Answers the reply of every sign-in.
 * @param passwordHash null: they came without a password, and the browser earns no lane for guessing one
 * @param throughProvider true: their organisation's own provider says who they are
 * @throws Problem forbidden to who comes another way where the organisation lets none but its provider say it
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
