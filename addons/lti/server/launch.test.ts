/** @module-tag full */
import { generateKeyPairSync } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { LMS } from '../contract/lms-words.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { cookiesOf } from '../test/emulated-lms.ts'
import { claim, INSTRUCTOR, launchClaims, LEARNER, scriptedLms, signed, unsigned } from '../test/lms-platform.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { invitationToken } from '@trainyard/users/server/invitation-link.ts'
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

test('refuses a launch of a course that is not connected, and lists the course for the admin', async () => {
  const { status, body } = await launch()
  expect([status, body['message']]).toEqual([403, LMS.notConnected('Computer Science')])
  const { body: listed } = await admin('GET', '/admin/lms')
  expect(listed.platforms[0]).toMatchObject({
    name: 'Moodle',
    state: 'ready',
    deployments: [{ id: '1', isAccepted: true }],
    courses: [{ title: 'Computer Science', training: null }],
    workedAt: null,
  })
  await connectCourse('Networks')
})

describe('a launch', () => {
  test('redirects to the LMS with all required parameters, and returns its hints unchanged', async () => {
    const { address } = await start()
    expect(`${address.origin}${address.pathname}`).toBe(`${moodle.issuer}/auth`)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      tenant: '7',
      scope: 'openid',
      response_type: 'id_token',
      response_mode: 'form_post',
      prompt: 'none',
      client_id: CLIENT,
      redirect_uri: target,
      login_hint: '5',
      lti_message_hint: '{"cmid":2,"launchid":"a b+c"}',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  test('shows a learner the machines of the training, also at the next launch', async () => {
    const { status, body } = await launch()
    expect([status, body['outcome'], body['title']]).toEqual([200, 'entered', 'Networks'])
    const { body: entered } = await enterWithTicket(body['ticket']!)
    expect(entered).toMatchObject({
      session: 'user',
      organization: 'Bellows University',
      target: '/vm/vmdetails?training=Networks',
      email: expect.stringMatching(/^[0-9a-f]{32}@no-mailbox\.invalid$/),
    })
    const again = await launch({ name: 'Asha V.' })
    expect((await enterWithTicket(again.body['ticket']!)).body).toMatchObject({ email: entered['email'] })
    const me = await env.portal.request('GET', '/user/me', { uid: entered['uid']! })
    expect(await me.json()).toMatchObject({ userType: 'user' })
  })

  test('makes an instructor of the course an instructor of its training only, until the role ends', async () => {
    const teacher = { sub: '7', [claim('roles')]: [INSTRUCTOR] }
    const { body } = await enterWithTicket((await launch(teacher)).body['ticket']!)
    expect(body['target']).toBe('/vm/class?training=Networks')
    const as = (method: string, path: string) => env.portal.request(method, path, { uid: body['uid']! })
    expect((await as('GET', '/azure/class?trainingName=Networks')).status).toBe(200)
    expect((await as('GET', '/admin/lms')).status).toBe(403)
    await enterWithTicket((await launch({ sub: '7', [claim('roles')]: [LEARNER] })).body['ticket']!)
    expect((await as('GET', '/azure/class?trainingName=Networks')).status).toBe(403)
  })

  test.each([
    ['an LMS administrator', ['http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator']],
    ['an instructor of the institution', ['http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor']],
    ['a course administrator', ['http://purl.imsglobal.org/vocab/lis/v2/membership#Administrator']],
    ['an unknown role', ['http://example.com/Instructor']],
    ['no role', []],
  ])('gives %s only the rights of a learner, whatever the custom parameters are', async (_who, roles) => {
    const { body } = await launch({
      sub: 'adm',
      [claim('roles')]: roles,
      [claim('custom')]: { roles: INSTRUCTOR, role: 'admin', trainyard_view: 'class', training: 'Secret' },
    })
    const { body: entered } = await enterWithTicket(body['ticket']!)
    expect(entered).toMatchObject({ session: 'user', target: '/vm/vmdetails?training=Networks' })
    const inClass = await env.portal.request('GET', '/azure/class?trainingName=Networks', { uid: entered['uid']! })
    expect(inClass.status).toBe(403)
  })

  test.each([
    ['without name and e-mail', { name: undefined }, null],
    ['with an e-mail only', { name: undefined, email: 'Someone@Elsewhere.test' }, null],
    ['with a right-to-left name', { name: 'محمد\u202e علي' }, 'محمد علي'],
    ['with a Devanagari name', { name: undefined, given_name: 'आशा', family_name: 'वर्मा' }, 'आशा वर्मा'],
    ['with a name that the LMS did not substitute', { name: '$Person.name.full' }, null],
  ])('creates an account %s', async (_what, more, name) => {
    const { body } = await enterWithTicket(
      (
        await launch({
          sub: JSON.stringify(more)
            .slice(0, 50)
            .replaceAll(/[^ -~]/g, ''),
          ...more,
        })
      ).body['ticket']!,
    )
    const row = await env.db
      .selectFrom('portal_user')
      .select(['name', 'role'])
      .where('email', '=', body['email']!)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ name, role: 'user' })
  })

  test('opens one session, in the browser that completed it', async () => {
    const ticket = (await launch()).body['ticket']!
    const elsewhere = await enterWithTicket(ticket, '')
    expect([elsewhere.status, elsewhere.body['message']]).toEqual([403, LMS.ticket])
    expect((await enterWithTicket(ticket)).status).toBe(200)
    expect((await enterWithTicket(ticket)).body['message']).toBe(LMS.ticket)
    // The frame of the LMS hands the launch over to a new tab, which does not have the cookies of the frame.
    const framed = (await launch()).body['ticket']!
    const handOver = (cookie: string) =>
      env.portal.request('POST', '/lti/hand-over', { body: { ticket: framed }, headers: { cookie } })
    expect((await handOver('')).status).toBe(403)
    const handedOver = (await (await handOver(browsers.get(framed)!)).json()) as { ticket: string }
    expect((await enterWithTicket(framed)).status).toBe(403)
    expect((await enterWithTicket(handedOver.ticket)).status).toBe(200)
    expect((await enterWithTicket(handedOver.ticket)).status).toBe(403)
  })

  test('does not delay a suspension of the LMS, after which no session is left', async () => {
    const suspend = (suspended: boolean) => admin('POST', '/admin/lms/suspension', { id: platform, suspended })
    for (const round of [1, 2, 3]) {
      const launches = await Promise.all(['a', 'b', 'c'].map((sub) => launch({ sub: `${sub}${round}` })))
      const entries = launches.map(({ body }) => enterWithTicket(body['ticket']!))
      const suspension = await suspend(true)
      expect([suspension.status, ...(await Promise.all(entries)).map(({ status }) => status)]).not.toContain(503)
      const { rows } = await sql`select from session where lms_platform_id = ${platform}`.execute(env.db)
      expect([suspension.status, rows]).toEqual([200, []])
      await suspend(false)
    }
  })

  test('opens no session after the rights of its user or its LMS ended', async () => {
    const teacher = { sub: 'leaver', [claim('roles')]: [INSTRUCTOR] }
    const { email, uid } = (await enterWithTicket((await launch(teacher)).body['ticket']!)).body as {
      email: string
      uid: string
    }
    const root = await env.signIn('superadmin', 'root@portal.test', null)
    const removals: readonly (readonly [string, () => Promise<{ readonly status: number }>])[] = [
      [
        'an admin removes the instructor',
        () => admin('DELETE', `/azure/class/instructors?trainingName=Networks&email=${email}`),
      ],
      ['the user signs out everywhere', () => env.portal.request('DELETE', '/user/sessions', { uid })],
      ['an admin signs the user out', () => admin('PATCH', '/admin/users', { email, signOut: true })],
      ['the account is deleted', () => root('DELETE', '/admin/users', { email, organization: 'Bellows University' })],
    ]
    for (const [what, remove] of removals) {
      const { body } = await launch(teacher)
      expect(await remove()).toMatchObject({ status: 200 })
      expect([what, (await enterWithTicket(body['ticket']!)).status]).toEqual([what, 403])
    }
    expect(await env.db.selectFrom('portal_user').select('id').where('email', '=', email).execute()).toEqual([])

    // The LMS lists the instructor as a learner before the launch is opened.
    const demoted = (await launch(teacher)).body['ticket']!
    await sql`
      with read as (update lms_course set roster_read_at = portal_now() where context_id = 'CS101' returning *)
      insert into lms_member (course_id, organisation_id, subject, role)
      select id, organisation_id, 'leaver', 'learner' from read`.execute(env.db)
    expect((await enterWithTicket(demoted)).body['target']).toBe('/vm/vmdetails?training=Networks')

    const learner = (await enterWithTicket((await launch()).body['ticket']!)).body['uid']!
    const me = async () => (await env.portal.request('GET', '/user/me', { uid: learner })).status
    expect(await me()).toBe(200)
    await admin('POST', '/admin/lms/suspension', { id: platform, suspended: true })
    expect(await me()).toBe(401)
    await admin('POST', '/admin/lms/suspension', { id: platform, suspended: false })
  })

  test('is handed over again only until the first ticket would have expired', async () => {
    const handOver = async (ticket: string, cookie = '') =>
      (await (
        await env.portal.request('POST', '/lti/hand-over', { body: { ticket }, headers: { cookie } })
      ).json()) as { ticket: string }
    const { ticket } = (await launch()).body
    const first = await handOver(ticket!, browsers.get(ticket!))
    await setPortalClock(env.db, { ahead: 40 })
    const second = await handOver(first.ticket)
    await setPortalClock(env.db, { ahead: 70 })
    expect((await enterWithTicket(second.ticket)).body['message']).toBe(LMS.ticket)

    // A user who must log in to an account first has more time.
    const email = 'slow@bellows.test'
    const owner = await env.signIn('user', email, bellows)
    await env.db.updateTable('portal_user').set({ signed_in_at: new Date() }).where('email', '=', email).execute()
    const linkable = (await launch({ sub: 'slow', email })).body['ticket']!
    const handedOver = await handOver(linkable, browsers.get(linkable))
    await setPortalClock(env.db, { ahead: 370 })
    expect((await owner('POST', '/lti/link', handedOver)).status).toBe(200)
    await setPortalClock(env.db, { ahead: 0 })
  })

  test('has no session or ticket left when the LMS loses its deployment or gets other settings', async () => {
    const { settings } = (await admin('GET', '/admin/lms')).body.platforms.find(
      (each: { id: string }) => each.id === platform,
    )
    const save = (overrides: object) =>
      admin('PATCH', '/admin/lms', { id: platform, name: 'Moodle', ...settings, deployments: ['1'], ...overrides })
    const decide = (accepted: boolean) =>
      admin('POST', '/admin/lms/deployments', { id: platform, deployment: '1', accepted })
    const changes: readonly (readonly [string, () => Promise<{ readonly status: number }>])[] = [
      ['a deployment is removed', () => decide(false)],
      ['a deployment is not in the settings', () => save({ deployments: [] })],
      ['the client is another one', () => save({ clientId: 'client-3' })],
      ['the key set is another one', () => save({ keySetUrl: `${moodle.issuer}/keys?new` })],
    ]
    for (const [what, change] of changes) {
      const uid = (await enterWithTicket((await launch()).body['ticket']!)).body['uid']!
      const { ticket } = (await launch()).body
      const me = async () => (await env.portal.request('GET', '/user/me', { uid })).status
      expect((await save({ name: 'Moodle' })).status).toBe(200)
      expect([what, await me()]).toEqual([what, 200])
      expect((await change()).status).toBe(200)
      const { rows } = await sql`select from lms_ticket where platform_id = ${platform}`.execute(env.db)
      expect([what, await me(), rows]).toEqual([what, 401, []])
      expect((await save({})).status).toBe(200)
      expect([what, (await enterWithTicket(ticket!)).status]).toEqual([what, 403])
      // The courses of a deployment are deleted with it.
      await launch()
      await connectCourse('Networks')
    }
  })

  test('gives no role that outlives the connection of its course', async () => {
    const teacher = { sub: 'parting', [claim('roles')]: [INSTRUCTOR] }
    const { email } = (await enterWithTicket((await launch(teacher)).body['ticket']!)).body
    const leads = async () =>
      (await admin('GET', '/azure/class/instructors?trainingName=Networks')).body.instructors.some(
        (each: { email: string }) => each.email === email,
      )
    expect(await leads()).toBe(true)
    await connectCourse(null)
    expect(await leads()).toBe(false)
    await connectCourse('Networks')

    await enterWithTicket((await launch(teacher)).body['ticket']!)
    expect(await leads()).toBe(true)
    const decide = (accepted: boolean) =>
      admin('POST', '/admin/lms/deployments', { id: platform, deployment: '1', accepted })
    await decide(false)
    expect(await leads()).toBe(false)
    await launch()
    await decide(true)
    await launch()
    await connectCourse('Networks')
  })

  test('gives no role that outlives the connection of its course, if another course is connected too', async () => {
    const other = { [claim('context')]: { id: 'CS202', title: 'Computer Science II' } }
    await launch(other)
    await connectCourse('Networks', 'CS202')
    const teacher = { ...other, sub: 'parting II', [claim('roles')]: [INSTRUCTOR] }
    const { email } = (await enterWithTicket((await launch(teacher)).body['ticket']!)).body
    await sql`
      insert into lms_member (course_id, organisation_id, subject, name, role)
      select id, organisation_id, 'parting II', 'Parting', 'instructor' from lms_course
      where context_id = 'CS202'`.execute(env.db)
    const leads = async () =>
      (await admin('GET', '/azure/class/instructors?trainingName=Networks')).body.instructors.some(
        (each: { email: string }) => each.email === email,
      )
    expect(await leads()).toBe(true)
    await connectCourse('Networks', 'CS202')
    expect(await leads()).toBe(true)
    await connectCourse(null, 'CS202')
    expect(await leads()).toBe(false)
  })

  test.each([
    ['a short role', { [claim('roles')]: ['Instructor'] }],
    [
      'a teaching assistant',
      { [claim('roles')]: ['http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant', LEARNER] },
    ],
  ])('understands %s', async (_what, more) => {
    const { body } = await enterWithTicket((await launch({ sub: 'short', ...more })).body['ticket']!)
    expect(body['target']).toBe('/vm/class?training=Networks')
  })

  test('completes in both tabs if two tabs start it concurrently', async () => {
    const [first, second] = [await start(), await start()]
    const both = { cookie: `${first.cookie}; ${second.cookie}` }
    for (const each of [second, first])
      expect((await finish({ ...each, ...both }, moodle.token(claimsFor(each)))).status).toBe(200)
  })

  test("with the LMS's storage requires the stored proof instead of a cookie", async () => {
    const started = await start(platform, { storageTarget: '_parent' })
    expect([started.cookie, started.proof]).toEqual(['', expect.stringMatching(/^[\w-]{43}$/)])
    expect(Buffer.from(started.state.split('.')[1]!, 'base64url').toString()).toBe('_parent')
    const token = moodle.token(claimsFor(started))
    expect((await finish(started, token)).body['message']).toBe(LMS.expired)
    expect((await finish(started, token, { proof: started.proof })).status).toBe(200)
  })

  test('shows the error of the LMS to the browser that started the launch', async () => {
    const started = await start()
    const otherBrowser = await finish({ ...started, cookie: '' }, null, { error: 'login_required' })
    expect(otherBrowser.body['message']).toBe(LMS.expired)
    const { status, body } = await finish(started, null, { error: 'login_required' })
    expect([status, body['message']]).toEqual([403, expect.stringContaining('login_required')])
  })
})

test('uses rotated keys of the LMS at once, without a request for each forged key ID', async () => {
  expect((await launch()).status).toBe(200)
  moodle.rotate()
  const fetches = moodle.fetches()
  expect((await launch()).status).toBe(200)
  expect(moodle.fetches()).toBe(fetches + 1)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const started = await start()
    const forged = moodle.token(claimsFor(started), { kid: `forged-${attempt}` })
    expect((await finish(started, forged)).body['message']).toContain('not in the key set')
  }
  expect(moodle.fetches()).toBe(fetches + 1)
})

describe('an attacker', () => {
  let before = 0
  beforeEach(async () => void (before = await sessions()))

  const now = Math.floor(Date.now() / 1_000)
  const strangersKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

  test.each<[string, (started: Started) => string | object, RegExp]>([
    ['by a key that is not the LMS’s', (s) => moodle.token(claimsFor(s), {}, strangersKey), /signature/],
    ['by a key of another LMS', (s) => other.token(claimsFor(s), { kid: 'key-9' }), /not in the key set/],
    ['without a signature', (s) => unsigned(claimsFor(s)), /RS256/],
    ['with HS256', (s) => moodle.token(claimsFor(s), { alg: 'HS256' }), /RS256/],
    ['with RS512', (s) => signed({ alg: 'RS512', kid: 'key-1' }, claimsFor(s), strangersKey, 'sha512'), /RS256/],
    ['without a key ID', (s) => moodle.token(claimsFor(s), { kid: undefined }), /does not name its key/],
    ['that is no token', () => 'not.a.token', /cannot be read/],
    ['of another issuer', () => ({ iss: 'https://evil.test' }), /not issued by this LMS/],
    ['for another client', () => ({ aud: 'client-2' }), /another application/],
    ['for two clients without azp', () => ({ aud: [CLIENT, 'client-2'] }), /another application/],
    ['for two clients with another azp', () => ({ aud: [CLIENT, 'client-2'], azp: 'client-2' }), /another application/],
    ['that has expired', () => ({ iat: now - 500, exp: now - 440 }), /has expired/],
    ['from an hour ago', () => ({ iat: now - 3_600, exp: now + 3_600 }), /clocks|expired/],
    ['from the future', () => ({ iat: now + 300, exp: now + 400 }), /clocks/],
    ['without an expiry', () => ({ exp: undefined }), /no valid exp/],
    ['with the nonce of another login', () => ({ nonce: 'n'.repeat(43) }), /expired or was not started/],
    ['without a nonce', () => ({ nonce: undefined }), /no valid nonce/],
    ['of an unknown deployment', () => ({ [claim('deployment_id')]: '99' }), /deployment 99/],
    ['without a deployment', () => ({ [claim('deployment_id')]: undefined }), /deployment/],
    ['of LTI 1.1', () => ({ [claim('version')]: '1.1' }), /LTI 1\.3/],
    ['without a version', () => ({ [claim('version')]: undefined }), /LTI 1\.3/],
    ['of an unknown message', () => ({ [claim('message_type')]: 'LtiStartProctoring' }), /does not support/],
    ['without a message type', () => ({ [claim('message_type')]: undefined }), /does not support/],
    ['without roles', () => ({ [claim('roles')]: undefined }), /roles/],
    ['without a resource link', () => ({ [claim('resource_link')]: undefined }), /which activity/],
    ['without a user', () => ({ sub: undefined }), /who you are/],
    ['without a course', () => ({ [claim('context')]: undefined }), /course/],
    ['with a target at another site', () => ({ [claim('target_link_uri')]: 'https://evil.test/' }), /does not belong/],
    [
      'with a target that looks similar',
      () => ({ [claim('target_link_uri')]: target.replace('127.0.0.1', '127.0.0.1.evil.test') }),
      /does not belong/,
    ],
  ])('gets no session with a token %s', async (_what, make, sentence) => {
    const started = await start()
    const created = make(started)
    const { status, body } = await finish(
      started,
      typeof created === 'string' ? created : moodle.token(claimsFor(started, created)),
    )
    expect([status, body['message']]).toEqual([403, expect.stringMatching(sentence)])
    expect(await sessions()).toBe(before)
  })

  test('cannot repeat a launch, use it in another browser, or exchange states', async () => {
    const [ownSession, otherSession] = [await start(), await start()]
    const token = moodle.token(claimsFor(ownSession))
    // The browser of one user opens the launch of the other user.
    expect((await finish({ ...ownSession, cookie: otherSession.cookie }, token)).body['message']).toBe(LMS.expired)
    expect((await finish({ ...ownSession, cookie: '' }, token)).body['message']).toBe(LMS.expired)
    expect(
      (await finish({ ...otherSession, cookie: `${ownSession.cookie}; ${otherSession.cookie}` }, token)).body[
        'message'
      ],
    ).toBe(LMS.expired)
    expect((await finish(ownSession, token)).status).toBe(200)
    expect((await finish(ownSession, token)).body['message']).toBe(LMS.expired)
    // The nonce of a completed launch in a new token for a new sign-in.
    const replayed = moodle.token(claimsFor({ ...ownSession }, { jti: 'new' }))
    expect((await finish(await start(), replayed)).body['message']).toBe(LMS.expired)
    expect((await enterWithTicket('x'.repeat(43))).status).toBe(403)
  })

  test('has ten minutes to complete a launch, and an hour to use its page', async () => {
    const started = await start()
    await setPortalClock(env.db, { ahead: 601 })
    expect((await finish(started, moodle.token(claimsFor(started)))).body['message']).toBe(LMS.expired)
    const { body } = await launch()
    await setPortalClock(env.db, { ahead: 601 + 3_601 })
    expect((await enterWithTicket(body['ticket']!)).body['message']).toBe(LMS.ticket)
    await setPortalClock(env.db, { ahead: 0 })
  })

  test('with an LMS of another organisation reaches neither its training nor its users', async () => {
    const forgedConnection = await connect(foreignAdmin, 'Moodle', {
      issuer: moodle.issuer,
      keySetUrl: other.keySetUrl,
    })
    const started = await start(forgedConnection)
    const token = other.token(claimsFor(started, { [claim('target_link_uri')]: target }))
    // The course has the same ID and name, but belongs to the LMS of the other organisation.
    expect((await finish(started, token)).body['message']).toBe(LMS.notConnected('Computer Science'))
    expect((await finish({ ...(await start()), platform: forgedConnection }, token)).body['message']).toBe(LMS.expired)
    const { body } = await foreignAdmin('GET', '/admin/lms')
    const course = body.platforms[0].courses[0].id
    expect((await foreignAdmin('POST', '/admin/lms/courses', { id: course, trainingName: 'Networks' })).status).toBe(
      404,
    )
    expect((await foreignAdmin('POST', '/admin/lms/courses', { id: course, trainingName: 'Secret' })).status).toBe(200)
    const launched = await start(forgedConnection)
    const entered = await enterWithTicket((await finish(launched, other.token(claimsFor(launched)))).body['ticket']!)
    expect(entered.body).toMatchObject({ organization: 'Globex', target: '/vm/vmdetails?training=Secret' })
    for (const path of ['/admin/lms', '/admin/lms/test', '/admin/lms/suspension', '/admin/lms/link']) {
      const body = path.endsWith('suspension') ? { id: platform, suspended: true } : { id: platform }
      const method = path === '/admin/lms' ? 'DELETE' : 'POST'
      expect([path, (await foreignAdmin(method, path, body)).status]).toEqual([path, 404])
    }
    expect(forgedConnection).not.toBe(platform)
  })

  test('is linked to no user by sending the e-mail of one; only that user can link it after signing in', async () => {
    const email = 'learner@bellows.test'
    await env.signIn('user', email, bellows)
    await env.db.updateTable('portal_user').set({ signed_in_at: new Date() }).where('email', '=', email).execute()
    const stated = { sub: 'same-mail', email: 'Learner@Bellows.test' }
    const attack = await launch(stated)
    expect(attack.body).toMatchObject({ outcome: 'linkable', email })
    const otherUser = await env.signIn('user', 'else@bellows.test', bellows)
    expect((await linkWithTicket(otherUser, attack.body['ticket']!)).status).toBe(403)
    expect((await linkWithTicket(admin, attack.body['ticket']!)).status).toBe(403)
    const owner = await env.signIn('user', email, bellows)
    // A session that was confirmed some minutes ago is not sufficient.
    const age = (minutes: number) =>
      sql`
      update session set created_at = portal_now() - make_interval(mins => ${minutes}), confirmed_at = null
      where user_id = (select id from portal_user where email = ${email})`.execute(env.db)
    await age(6)
    expect(await linkWithTicket(owner, attack.body['ticket']!)).toMatchObject({
      status: 403,
      body: { code: 'confirmFirst' },
    })
    // A session that was confirmed now is sufficient, also if the provider reports no second factor.
    await age(0)
    expect(await linkWithTicket(owner, attack.body['ticket']!)).toMatchObject({
      status: 200,
      body: { target: '/vm/vmdetails?training=Networks' },
    })
    const { rows: notices } = await sql`select data->>'change' as change from pgboss.job
      where name = 'secondFactor.notice'
        and data->>'user' = (select id::text from portal_user where email = ${email})`.execute(env.db)
    expect(notices).toEqual([{ change: 'LMS linked' }])
    expect((await enterWithTicket((await launch(stated)).body['ticket']!)).body['email']).toBe(email)
    // Another subject of the same LMS cannot be linked to the same account. It gets a separate account.
    const second = await launch({ ...stated, sub: 'second' })
    expect(second.body['outcome']).toBe('entered')
    expect((await enterWithTicket(second.body['ticket']!)).body['email']).toMatch(/@no-mailbox\.invalid$/)
    expect((await machinesOf(admin, 'Networks')).map((machine) => machine.email)).toEqual([email])
  })

  test('signs in no user whose password was changed until the user logs in once more', async () => {
    const email = 'robbed@bellows.test'
    const thief = await env.signIn('user', email, bellows)
    await sql`update portal_user set signed_in_at = portal_now() where email = ${email}`.execute(env.db)
    const person = { sub: 'thief', email }
    const link = async (as: Caller) => {
      const { body } = await launch(person)
      expect(body['outcome']).toBe('linkable')
      return linkWithTicket(as, body['ticket']!)
    }
    const enter = async (overrides: object = {}) =>
      enterWithTicket((await launch({ ...person, ...overrides })).body['ticket']!)
    expect((await link(thief)).status).toBe(200)
    expect((await enter()).body['email']).toBe(email)

    const { rows } = await sql<{ id: string }>`
      insert into invitation (user_id, purpose, expires_at)
      select id, 'password', portal_now() + interval '30 minutes' from portal_user where email = ${email}
      returning id`.execute(env.db)
    const reset = { token: invitationToken(app.seal, rows[0]!.id), password: 'a password of the owner' }
    expect((await env.portal.request('POST', '/user/password', { body: reset })).status).toBe(200)
    for (const overrides of [{}, { email: undefined }]) {
      const refused = await enter(overrides)
      expect([refused.status, refused.body['message']]).toEqual([403, LMS.logIn])
    }
    expect((await link(await env.signIn('user', email, bellows))).status).toBe(200)
    expect((await enter()).body['email']).toBe(email)
  })

  test('is not signed in as a user of another LMS by sending the same e-mail or user ID', async () => {
    const canvas = await connect(admin, 'Canvas', other)
    const course = { [claim('context')]: { id: 'CV1', title: 'Canvas course' } }
    const inCanvas = async (overrides: object) => {
      const started = await start(canvas, { issuer: other.issuer })
      const addresses = { issuer: other.issuer, target: `${app.config.http.publicUrl}/lti/launch/${canvas}` }
      const claims = launchClaims({ ...addresses, clientId: CLIENT, nonce: started.nonce }, { ...course, ...overrides })
      return finish(started, other.token(claims))
    }
    const emailIn = async ({ body }: { body: Record<string, string> }) =>
      (await enterWithTicket(body['ticket']!)).body['email']
    await inCanvas({})
    await connectCourse('Networks', 'CV1')
    // Users without an account in the portal get a separate account for each LMS.
    const stated = { sub: 'twin', email: 'twin@bellows.test' }
    const accounts = [await emailIn(await launch(stated)), await emailIn(await inCanvas(stated))]
    expect(new Set(accounts).size).toBe(2)

    const email = 'both@bellows.test'
    const owner = await env.signIn('user', email, bellows)
    await env.db.updateTable('portal_user').set({ signed_in_at: new Date() }).where('email', '=', email).execute()
    const both = { sub: 'both', email }
    await linkWithTicket(owner, (await launch(both)).body['ticket']!)
    expect(await emailIn(await launch(both))).toBe(email)
    const second = await inCanvas(both)
    expect(second.body).toMatchObject({ outcome: 'linkable', email })
    expect((await linkWithTicket(owner, second.body['ticket']!)).status).toBe(200)
    expect(await emailIn(await inCanvas(both))).toBe(email)
    expect(await emailIn(await inCanvas({ ...both, sub: 'other' }))).not.toBe(email)
  })

  test('cannot sign in an admin, even one who was linked as a learner', async () => {
    const { body } = await enterWithTicket((await launch({ sub: 'riser' })).body['ticket']!)
    await env.db.updateTable('portal_user').set({ role: 'admin' }).where('email', '=', body['email']!).execute()
    const again = await enterWithTicket((await launch({ sub: 'riser' })).body['ticket']!)
    expect([again.status, again.body['message']]).toEqual([403, LMS.adminAccount])
    await env.signIn('admin', 'chief@bellows.test', bellows)
    expect((await launch({ sub: 'chief', email: 'chief@bellows.test' })).body['outcome']).toBe('entered')
  })

  test.each([
    ['10.0.0.1', 'https://10.0.0.1/keys'],
    ['a link-local address', 'https://169.254.169.254/latest/meta-data'],
    ['localhost', 'https://localhost/keys'],
    ['plain http', 'http://lms.example.com/keys'],
    ['an allowed host on another port', 'http://127.0.0.1:1/keys'],
    ['a user name in the address', 'https://a:b@lms.example.com/keys'],
  ])('cannot have the portal fetch %s', async (_what, keySetUrl) => {
    const settings = (await admin('GET', '/admin/lms')).body.platforms[0].settings
    const body = { id: platform, name: 'Moodle', ...settings, keySetUrl, deployments: ['1'] }
    expect((await admin('PATCH', '/admin/lms', body)).status).toBe(400)
    const form = { code: await registrationCode(), configuration: keySetUrl, token: null }
    expect((await env.portal.request('POST', '/lti/register', { body: form })).status).toBe(400)
  })

  test.each(['registration_endpoint', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'])(
    'cannot have the portal use a private %s of its configuration',
    async (name) => {
      const at = (path: string) => `${other.issuer}/${path}`
      const configuration = {
        issuer: other.issuer,
        registration_endpoint: at('register'),
        authorization_endpoint: at('auth'),
        token_endpoint: at('token'),
        jwks_uri: at('keys'),
        [name]: 'https://10.0.0.1/',
      }
      other.answer((reply) => reply.end(JSON.stringify(configuration)))
      const fetches = other.fetches()
      const body = { code: await registrationCode(), configuration: at('configuration'), token: null }
      const reply = await env.portal.request('POST', '/lti/register', { body })
      other.answer(null)
      const { message } = (await reply.json()) as { message: string }
      expect([reply.status, message]).toEqual([403, expect.stringContaining(name)])
      expect(other.fetches()).toBe(fetches + 1)
    },
  )

  // Hosted Canvas has one issuer, and registers and frames tools at the host of the school, which may be its own domain:
  // references/lti, "Dynamic registration" and "Platforms' own ways".
  test('can register at another host than the issuer, whose pages may then frame the portal', async () => {
    const { registrationUrl, id } = (await admin('POST', '/admin/lms', { name: 'Hosted' })).body
    const configuration = {
      issuer: moodle.issuer,
      registration_endpoint: `${other.issuer}/register`,
      authorization_endpoint: `${moodle.issuer}/auth`,
      token_endpoint: `${moodle.issuer}/token`,
      jwks_uri: moodle.keySetUrl,
      authorization_server: 'https://sso.example.com',
    }
    moodle.answer((reply) => reply.end(JSON.stringify(configuration)))
    other.answer((reply) => reply.end(JSON.stringify({ client_id: '10000000000042' })))
    const query = new URLSearchParams({ openid_configuration: `${moodle.issuer}/configuration` })
    const path = new URL(registrationUrl as string).pathname
    const framers = async (address: string) =>
      /frame-ancestors ([^;]*)/.exec((await fetch(`${url}${address}`)).headers.get('content-security-policy')!)![1]
    expect(await framers(`${path}?${query}`)).toBe(`${moodle.issuer} ${other.issuer}`)
    const fetches = moodle.fetches()
    expect(await framers(`/lti/register/${'x'.repeat(43)}?${query}`)).toBe(moodle.issuer)
    expect(moodle.fetches()).toBe(fetches)

    const body = { code: path.split('/').at(-1), configuration: query.get('openid_configuration'), token: 'once' }
    expect((await env.portal.request('POST', '/lti/register', { body })).status).toBe(200)
    moodle.answer(null)
    other.answer(null)
    const { settings } = (await admin('GET', '/admin/lms')).body.platforms.find(
      (each: { id: string }) => each.id === id,
    )
    expect(settings).toMatchObject({ clientId: '10000000000042', tokenAudience: 'https://sso.example.com' })
    expect(await framers(`/lti/login/${id}`)).toBe(`${moodle.issuer} ${other.issuer}`)
  })

  test('cannot register without a code of an admin', async () => {
    const body = { code: 'x'.repeat(43), configuration: `${moodle.issuer}/configuration`, token: null }
    const fetches = moodle.fetches()
    expect((await env.portal.request('POST', '/lti/register', { body })).status).toBe(403)
    expect(moodle.fetches()).toBe(fetches)
  })
})

let spare: string | undefined
const registrationCode = async () => {
  spare ??= (await admin('POST', '/admin/lms', { name: 'Spare' })).body.registrationUrl as string
  return spare.split('/').at(-1)!
}

test.each<[string, Parameters<typeof other.answer>[0], number, RegExp]>([
  ['a web page', (reply) => reply.end('<html>'), 403, /web page/],
  [
    'a redirect to a private address',
    (reply) => reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    503,
    /answers 302/,
  ],
  ['an endless answer', (reply) => reply.end('x'.repeat(600_000)), 503, /sends more than 512 kB/],
  ['no key', (reply) => reply.end('{"keys":[]}'), 403, /no keys/],
])('refuses a launch if the key set is %s', async (what, answer, status, sentence) => {
  const id = await connect(admin, `Broken ${what}`, {
    issuer: `${other.issuer}/${encodeURIComponent(what)}`,
    keySetUrl: `${other.issuer}/${encodeURIComponent(what)}/keys`,
  })
  other.answer(answer)
  const started = await start(id, { issuer: `${other.issuer}/${encodeURIComponent(what)}` })
  const { status: found, body } = await finish(started, other.token(claimsFor(started)))
  other.answer(null)
  expect([found, body['message']]).toEqual([status, expect.stringMatching(sentence)])
})

test('works with a deployment that the LMS used after an admin accepts it', async () => {
  const newDeployment = { [claim('deployment_id')]: '2' }
  expect((await launch(newDeployment)).body['message']).toBe(LMS.deployment('2'))
  const accept = (accepted: boolean) =>
    admin('POST', '/admin/lms/deployments', { id: platform, deployment: '2', accepted })
  expect((await accept(true)).status).toBe(200)
  // Courses of another deployment are different courses.
  expect((await launch(newDeployment)).body['message']).toBe(LMS.notConnected('Computer Science'))
  expect((await accept(false)).status).toBe(200)
  expect((await launch(newDeployment)).body['message']).toBe(LMS.deployment('2'))
})

test('opens no session while the LMS is suspended, even from a page that was loaded before', async () => {
  const { body } = await launch()
  const started = await start()
  const suspend = (suspended: boolean) => admin('POST', '/admin/lms/suspension', { id: platform, suspended })
  await suspend(true)
  await expect(start()).rejects.toThrow(LMS.suspended)
  expect((await finish(started, moodle.token(claimsFor(started)))).body['message']).toBe(LMS.suspended)
  expect((await enterWithTicket(body['ticket']!)).body['message']).toBe(LMS.ticket)
  await suspend(false)
  expect((await launch()).status).toBe(200)
})

test('requires the same key set for a second LMS with the same issuer, which identifies users', async () => {
  const { body } = await admin('POST', '/admin/lms', { name: 'Twin' })
  const settings = (await admin('GET', '/admin/lms')).body.platforms.find(
    (each: { name: string }) => each.name === 'Moodle',
  ).settings
  const save = (overrides: object) =>
    admin('PATCH', '/admin/lms', { id: body.id, name: 'Twin', ...settings, deployments: [], ...overrides })
  expect((await save({})).body.message).toContain('already connected with this issuer and client ID')
  expect((await save({ clientId: 'client-9', keySetUrl: other.keySetUrl })).body.message).toContain('another key set')
  expect((await save({ clientId: 'client-9' })).status).toBe(200)
})

test('refuses a name that is taken without the cost of a key', async () => {
  const costOf = async (names: readonly string[]) => {
    const before = process.cpuUsage()
    const statuses = []
    for (const name of names) statuses.push((await admin('POST', '/admin/lms', { name })).status)
    const { user, system } = process.cpuUsage(before)
    return { statuses, cpu: user + system }
  }
  const names = ['Key 1', 'Key 2', 'Key 3', 'Key 4']
  const made = await costOf(names)
  const refused = await costOf(names)
  expect([made.statuses, refused.statuses]).toEqual([names.map(() => 200), names.map(() => 409)])
  expect(refused.cpu).toBeLessThan(made.cpu / 2)
})

test("publishes each LMS's keys: the next key a day before its use, the old key until a day after", async () => {
  const keys = async () => {
    const reply = await env.portal.request('GET', '/lti/keys', { query: { platform } })
    return ((await reply.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
  }
  const rotateAt = async (days: number) => {
    await setPortalClock(env.db, { ahead: days * 86_400 })
    await rotateKeys(env.parts.db, env.parts.seal, new AbortController().signal)
    const { signingKeyOf } = await import('./keys.ts')
    return [(await signingKeyOf(env.parts.db, env.parts.seal, platform as never)).id, await keys()] as const
  }
  const [first] = await keys()
  expect(await rotateAt(89)).toEqual([first, [first]])
  const [signing, [next]] = await rotateAt(90.5)
  expect([signing, next]).toEqual([first, expect.not.stringMatching(first!)])
  expect(await rotateAt(91.6)).toEqual([next, [next, first]])
  expect(await rotateAt(92.6)).toEqual([next, [next]])
  await setPortalClock(env.db, { ahead: 0 })
})

test('a slow LMS of one organisation does not delay the roster of another', async () => {
  const courses = await Promise.all(
    (
      [
        [admin, moodle],
        [foreignAdmin, other],
      ] as const
    ).map(async ([as, lms]) => {
      const name = `Rosters of ${lms.issuer}`
      const id = await connect(as, name, lms, { clientId: 'rosters' })
      await sql`
        insert into lms_course (platform_id, organisation_id, deployment_id, context_id, title, memberships_url, roster_due_at)
        select id, organisation_id, '1', ${name}, ${name}, ${`${lms.issuer}/members`}, portal_now()
        from lms_platform where id = ${id}`.execute(env.db)
      return name
    }),
  )
  // Each LMS answers only after both have received a request. Visits one after the other would time out.
  const waiting = new Map<string, () => void>()
  for (const lms of [moodle, other])
    lms.answer((reply) => {
      const json = (body: object) => reply.setHeader('content-type', 'application/json').end(JSON.stringify(body))
      if (!reply.req.url!.startsWith('/members')) return void json({ access_token: 'a', expires_in: 60 })
      waiting.set(lms.issuer, () => json({ members: [{ user_id: '1', roles: [LEARNER] }] }))
      if (waiting.size === 2) for (const send of waiting.values()) send()
    })
  try {
    await readDueCourses(env.parts)(new AbortController().signal)
  } finally {
    for (const lms of [moodle, other]) lms.answer(null)
  }
  const read = await env.db
    .selectFrom('lms_course')
    .select(['roster_problem', 'roster_attempts'])
    .select((eb) => eb('roster_read_at', 'is not', null).as('read'))
    .where('title', 'in', courses)
    .execute()
  expect(read).toEqual(courses.map(() => ({ roster_problem: null, roster_attempts: 0, read: true })))
})

test('stores no token, hint or proof in the audit or readable in the database', async () => {
  const started = await start()
  const token = moodle.token(claimsFor(started))
  const { body } = await finish(started, token)
  await enterWithTicket(body['ticket']!)
  const audit = JSON.stringify(await env.db.selectFrom('audit').selectAll().execute())
  expect(audit).toContain('ltiLaunch.enter')
  const secrets = [token, started.state, body['ticket']!, started.cookie.split('=')[1]!, 'launchid']
  expect(secrets.filter((secret) => audit.includes(secret))).toEqual([])
  expect(env.bugs).toEqual([])
})
