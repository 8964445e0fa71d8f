import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { signInAtProvider } from '@trainyard/platform/emulator/test/sign-in.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { sealedSecret } from '../server/provider.ts'
import { invitationToken, validInvitations } from '@trainyard/users/server/invitation-link.ts'
import { signInCookie } from '@trainyard/platform/server/http/authenticate.ts'
import type { TestPortal } from '@trainyard/platform/test/portal.ts'

/** The portal's registration at the emulated provider. */
export const CLIENT = { clientId: 'trainyard', clientSecret: 'emulated-client-secret' } as const

export const emulatedIssuer = (portal: TestPortal): string => `${portal.app.config.emulator.url}/openid`

/** Configures the emulated provider and a domain for an organisation. */
export async function setUpProvider(
  db: Db,
  portal: TestPortal,
  organisation: OrganisationId,
  {
    domain,
    verified = true,
    worked = false,
  }: { readonly domain: string; readonly verified?: boolean; readonly worked?: boolean },
): Promise<void> {
  await db
    .insertInto('identity_provider')
    .values({
      organisation_id: organisation,
      issuer: emulatedIssuer(portal),
      client_id: CLIENT.clientId,
      client_secret: sealedSecret(portal.app.seal, organisation, CLIENT.clientSecret),
      group_claim: null,
      signs_out_there: false,
      worked_at: worked ? sql<Date>`portal_now()` : null,
    })
    .execute()
  await db
    .insertInto('organisation_domain')
    .values({
      organisation_id: organisation,
      domain,
      verified_at: verified ? sql<Date>`portal_now()` : null,
      verified_by: verified ? 'dns' : null,
    })
    .execute()
}

interface Reply {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- replies have any shape; the assertions check it
  readonly body: any
  readonly cookies: readonly string[]
}

async function post(portal: TestPortal, path: string, body: object, cookie?: string): Promise<Reply> {
  const headers: Record<string, string> = cookie === undefined ? {} : { cookie: `${signInCookie(false)}=${cookie}` }
  const reply = await portal.request('POST', path, { body, headers })
  return { status: reply.status, body: await reply.json(), cookies: reply.headers.getSetCookie() }
}

/** A started sign-in: the browser's cookie and the provider's URL. */
export interface StartedSignIn {
  readonly cookie: string
  readonly address: string
}

/** Returns the sign-in cookie among the cookies that a response sets. */
export const signInCookieOf = (cookies: readonly string[]): string =>
  cookies
    .map((set) => new RegExp(`^${signInCookie(false)}=([^;]+)`).exec(set)?.[1])
    .find((value) => value !== undefined)!

export const start = (portal: TestPortal, email: string): Promise<Reply> => post(portal, '/sign-in/start', { email })

export async function begin(portal: TestPortal, email: string): Promise<StartedSignIn> {
  const { status, body, cookies } = await start(portal, email)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return { cookie: signInCookieOf(cookies), address: body.address }
}

export const finish = (portal: TestPortal, answer: string, cookie?: string): Promise<Reply> =>
  post(portal, '/sign-in/finish', { answer }, cookie)

/** Performs a whole sign-in: starts it with an email address, and signs in at the provider as the subject. */
export async function signInAs(portal: TestPortal, email: string, subject: string): Promise<Reply> {
  const { cookie, address } = await begin(portal, email)
  return finish(portal, (await signInAtProvider(address, subject)).search.slice(1), cookie)
}

/** Confirms a change of a user, such as the link to a user at the provider, from the mailbox of the user. */
export async function confirmLink(
  portal: TestPortal,
  email: string,
  purpose: 'address' | 'provider' = 'provider',
): Promise<void> {
  const { id } = await validInvitations(portal.owner)
    .innerJoin('portal_user', 'portal_user.id', 'invitation.user_id')
    .select('invitation.id')
    .where('purpose', '=', purpose)
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const reply = await post(portal, '/user/confirm', { token: invitationToken(portal.app.seal, id) })
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
}
