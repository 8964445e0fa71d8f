import { generateKeyPairSync } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { LMS } from '@trainyard/contract/words/lms.ts'
import type { Caller } from '#test/caller.ts'
import { setPortalClock } from '#test/clock.ts'
import { cookiesOf } from '#test/emulated-lms.ts'
import { claim, INSTRUCTOR, launchClaims, LEARNER, scriptedLms, signed, unsigned } from '#test/lms-platform.ts'
import { machinesOf, order } from '#test/orders.ts'
import { sharedEnvironment } from '#test/shared.ts'
import { readDueCourses } from './course-members.ts'
import { rotateKeys } from './keys.ts'

const moodle = await scriptedLms()
const other = await scriptedLms()
const env = await sharedEnvironment({
  settings: { LMS_PRIVATE_ORIGINS: [moodle.issuer, other.issuer].join(',') },
})
const { url, app } = env.portal
const bellows = await env.organisation('Bellows University')
const globex = await env.organisation('Globex')
const admin = await env.signIn('admin', 'admin@bellows.test', bellows)
const foreignAdmin = await env.signIn('admin', 'admin@globex.test', globex)
await admin('POST', '/azure/machines', order('Networks', ['learner@bellows.test']))
await foreignAdmin('POST', '/azure/machines', order('Secret', ['learner@globex.test']))

const CLIENT = 'client-1'

/** Adds an LMS with manually entered settings, and returns its ID. */
async function connect(as: Caller, name: string, lms: { issuer: string; keySetUrl: string }, overrides: object = {}) {
  const { body: added } = await as('POST', '/admin/lms', { name })
  const { status, body } = await as('PATCH', '/admin/lms', {
    id: added.id,
    name,
    issuer: lms.issuer,
    clientId: CLIENT,
    authorizationUrl: `${lms.issuer}/auth?tenant=7`,
    tokenUrl: `${lms.issuer}/token`,
    tokenAudience: null,
    keySetUrl: lms.keySetUrl,
    deployments: ['1'],
    ...overrides,
  })
  expect([status, body.message]).toEqual([200, expect.stringContaining('was saved')])
  return added.id as string
}

const platform = await connect(admin, 'Moodle', moodle)

interface Started {
  readonly platform: string
  readonly state: string
  readonly nonce: string
  readonly cookie: string
}

async function start(id = platform, overrides: object = {}): Promise<Started & { address: URL; proof: string | null }> {
  const response = await fetch(`${url}/api/lti/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      platform: id,
      issuer: moodle.issuer,
      loginHint: '5',
      messageHint: '{"cmid":2,"launchid":"a b+c"}',
      clientId: CLIENT,
      deployment: '1',
      storageTarget: null,
      ...overrides,
    }),
  })
  const body = (await response.json()) as { address: string; state: string; proof: string | null; message?: string }
  if (!response.ok) throw new Error(body.message)
  const address = new URL(body.address)
  const cookie = response.headers.getSetCookie().map((each) => each.split(';', 1)[0]!)
  return { ...body, platform: id, address, nonce: address.searchParams.get('nonce')!, cookie: cookie.join('; ') }
}

async function finish(started: Started, idToken: string | null, overrides: object = {}) {
  const response = await fetch(`${url}/api/lti/finish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(started.cookie !== '' && { cookie: started.cookie }) },
    body: JSON.stringify({
      platform: started.platform,
      stateToken: started.state,
      idToken,
      error: null,
      proof: null,
      ...overrides,
    }),
  })
  const body = (await response.json()) as Record<string, string>
  if (body['ticket'] !== undefined) browsers.set(body['ticket'], cookiesOf(response))
  return { status: response.status, body }
}

/** Cookies of the browser that completed a launch, by ticket. */
const browsers = new Map<string, string>()

const target = `${app.config.http.publicUrl}/lti/launch/${platform}`
const claimsFor = ({ nonce }: Started, overrides: object = {}) =>
  launchClaims({ issuer: moodle.issuer, clientId: CLIENT, nonce, target }, overrides)

async function launch(overrides: object = {}) {
  const started = await start()
  return finish(started, moodle.token(claimsFor(started, overrides)))
}

const enterWithTicket = async (ticket: string, cookie = browsers.get(ticket) ?? '') => {
  const { status, body } = await env.portal
    .request('POST', '/lti/enter', { body: { ticket }, headers: { cookie } })
    .then(async (response) => ({ status: response.status, body: await response.json() }))
  return { status, body: body as Record<string, string> }
}

const connectCourse = async (trainingName: string | null, context = 'CS101') => {
  const { id } = await env.db
    .selectFrom('lms_course')
    .select('id')
    .where('context_id', '=', context)
    .executeTakeFirstOrThrow()
  expect((await admin('POST', '/admin/lms/courses', { id, trainingName })).status).toBe(200)
}

const linkWithTicket = (as: Caller, ticket: string) =>
  as('POST', '/lti/link', { ticket }, { cookie: browsers.get(ticket)! })

const sessions = async () =>
  Number(
    (
      await sql<{ n: string }>`select count(*) as n from session join portal_user u on u.id = user_id
      where u.email like '%no-mailbox.invalid'`.execute(env.db)
    ).rows[0]!.n,
  )


import { hashPassword } from '../../people/user/passwords.ts'
import { invitationToken } from '../../people/user/invitation.ts'
test('connect', async () => {
  await launch()
  await connectCourse('Networks')
})
test('LMS link survives a password reset', async () => {
  const email = 'victim@bellows.test'
  const as = await env.signIn('user', email, bellows)
  await sql`update portal_user set signed_in_at = portal_now() where email = ${email}`.execute(env.db)
  const first = await launch({ sub: 'evil', email })
  expect(first.body['outcome']).toBe('linkable')
  // intruder with the password: fresh session
  expect((await linkWithTicket(as, first.body['ticket']!)).status).toBe(200)
  const { rows } = await sql<{ id: string }>`
    insert into invitation (user_id, purpose, expires_at) select id, 'password', portal_now() + interval '30 minutes'
    from portal_user where email = ${email} returning id`.execute(env.db)
  const reset = await env.portal.request('POST', '/user/password', { body: { token: invitationToken(app.seal, rows[0]!.id), password: 'correct horse battery staple 2' } })
  console.log('reset', reset.status, await reset.text())
  const again = await launch({ sub: 'evil', email })
  const entered = await enterWithTicket(again.body['ticket']!)
  console.log('again', again.body['outcome'], entered.status, entered.body['email'])
  expect(entered.body['email']).not.toBe(email)
})
