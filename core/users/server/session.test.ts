import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { sendLateBody } from '@trainyard/platform/test/late-body.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { sessionCookie } from '@trainyard/platform/server/http/authenticate.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { invitationToken } from './invitation-link.ts'
import { addInvitation } from './invite-users.ts'
import { hashPassword } from './passwords.ts'

const PASSWORD = 'a good long password'
let portal: TestPortal

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  await addSuperadmin('root@portal.test')
})
afterAll(() => portal.close())

async function addSuperadmin(email: string): Promise<string> {
  const password_hash = await hashPassword(PASSWORD)
  await portal.app.db
    .insertInto('portal_user')
    .values({ email, role: 'superadmin', organisation_id: null, password_hash })
    .execute()
  return email
}

let userCount = 0
/** Returns an unused e-mail, also when the test is retried. */
const newEmail = (name: string) => `${name}${(userCount += 1)}@portal.test`

/** Uses a separate portal, because the attempts of the test would exceed the limit per address. */
async function withSeparatePortal(callback: () => Promise<void>): Promise<void> {
  const shared = portal
  portal = await startTestPortal(inject('testCluster'))
  try {
    await callback()
  } finally {
    await portal.close()
    portal = shared
  }
}

const login = (email: string, password: string) => portal.request('POST', '/user/login', { body: { email, password } })
const uidOf = async (reply: Response): Promise<string> => ((await reply.json()) as { uid: string }).uid
const me = (ask: Parameters<TestPortal['request']>[2]) => portal.request('GET', '/user/me', ask)
const cookie = (uid: string) => ({ cookie: `${sessionCookie(false)}=${uid}` })
const withoutId = async (reply: Response) => ({ ...((await reply.json()) as object), requestId: undefined })

test('opens a session for bearer token and cookie and stores only the hash', async () => {
  const reply = await login(' Root@Portal.test ', PASSWORD)
  expect(reply.status).toBe(200)
  const set = reply.headers.get('set-cookie')!
  const body = (await reply.json()) as Record<string, unknown>
  expect(body).toEqual({
    email: 'root@portal.test',
    organization: null,
    uid: expect.any(String),
    session: 'superadmin',
    message: expect.any(String),
  })
  const uid = body['uid'] as string
  expect(set).toContain(`${sessionCookie(false)}=${uid};`)
  expect(set).toMatch(/HttpOnly; SameSite=Strict/)
  expect((await me({ uid })).status).toBe(200)
  expect((await me({ headers: cookie(uid) })).status).toBe(200)
  const stored = await portal.app.db.selectFrom('session').select('token_hash').execute()
  expect(stored.every(({ token_hash }) => !token_hash.equals(Buffer.from(uid, 'base64url')))).toBe(true)
})

test('rejects a bearer token and a cookie of different sessions', async () => {
  const [one, two] = [await portal.sessionOf('root@portal.test'), await portal.sessionOf('root@portal.test')]
  expect((await me({ uid: one, headers: cookie(two) })).status).toBe(401)
  expect((await me({ uid: one, headers: cookie(one) })).status).toBe(200)
})

test('ignores a stale cookie on login', async () => {
  const reply = await portal.request('POST', '/user/login', {
    body: { email: 'root@portal.test', password: PASSWORD },
    headers: cookie('long-gone'),
  })
  expect(reply.status).toBe(200)
})

test('ends the session for bearer token and cookie, and keeps other sessions', async () => {
  const [ownSession, other] = [await portal.sessionOf('root@portal.test'), await portal.sessionOf('root@portal.test')]
  const reply = await portal.request('POST', '/user/logout', { uid: ownSession })
  expect(reply.headers.get('set-cookie')).toContain(`${sessionCookie(false)}=;`)
  expect((await me({ uid: ownSession })).status).toBe(401)
  expect((await me({ headers: cookie(ownSession) })).status).toBe(401)
  expect((await me({ uid: other })).status).toBe(200)
})

test.each([
  ['another site by Fetch Metadata', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a sibling by Fetch Metadata', { 'sec-fetch-site': 'same-site' }, 403],
  ['another site by Origin', { origin: 'https://evil.test' }, 403],
  ['a sandboxed page', { origin: 'null' }, 403],
  ['nobody says where', {}, 403],
  ['our own pages by Fetch Metadata', { 'sec-fetch-site': 'same-origin' }, 200],
])('answers a cookie-only change from %s', async (_from, headers, status) => {
  const uid = await portal.sessionOf('root@portal.test')
  const reply = await portal.request('POST', '/user/logout', { headers: { ...headers, ...cookie(uid) } })
  expect(reply.status).toBe(status)
})

test('accepts a change with only a cookie from the own origin, and reads from any origin', async () => {
  const uid = await portal.sessionOf('root@portal.test')
  expect((await me({ headers: { ...cookie(uid), origin: 'https://evil.test' } })).status).toBe(200)
  const reply = await portal.request('POST', '/user/logout', { headers: { ...cookie(uid), origin: portal.url } })
  expect(reply.status).toBe(200)
})

test('answers a wrong password and an unknown e-mail the same and in the same time', async () => {
  // Compares the fastest reply of each kind, which load affects least. A skipped hash would be ten times faster.
  let fastest = [0, 0, 0, 0].map(() => Number.POSITIVE_INFINITY)
  const ratio = () => Math.max(...fastest) / Math.min(...fastest)
  const fourRounds = async () => {
    await addSuperadmin('timed@portal.test')
    await portal.app.db
      .insertInto('portal_user')
      .values({ email: 'unset@portal.test', role: 'superadmin', organisation_id: null, password_hash: null })
      .execute()
    const emails = ['timed@portal.test', 'unset@portal.test', 'nobody@portal.test', 'no address at all']
    const bodies: unknown[] = []
    for (let round = 0; round < 4; round++) {
      for (const [index, email] of emails.entries()) {
        const began = performance.now()
        const reply = await login(email, 'wrong')
        fastest = fastest.with(index, Math.min(fastest[index]!, performance.now() - began))
        bodies.push([reply.status, await withoutId(reply)])
      }
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  }
  for (let attempt = 0; attempt < 9 && !(ratio() < 3); attempt++) await withSeparatePortal(fourRounds)
  expect(ratio()).toBeLessThan(3)
})

test('locks only an e-mail address with ten wrong passwords in a minute, also one of no user', async () => {
  for (const email of [await addSuperadmin(newEmail('guessed')), newEmail('unguessable')]) {
    for (let i = 0; i < 10; i++) expect((await login(email, 'wrong')).status).toBe(401)
    const refused = await login(email, PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await login('root@portal.test', PASSWORD)).status).toBe(200)
})

test('completes two hundred concurrent logins while other calls stay fast', { tags: ['storm'] }, async () => {
  await withSeparatePortal(async () => {
    await addSuperadmin('crowd@portal.test')
    const uid = await portal.sessionOf('crowd@portal.test')
    const stopFlood = new AbortController()
    const flood = Promise.all(Array.from({ length: 200 }, () => login('crowd@portal.test', PASSWORD))).finally(() =>
      stopFlood.abort(),
    )
    const times: number[] = []
    while (!stopFlood.signal.aborted) {
      const began = performance.now()
      expect((await me({ uid })).status).toBe(200)
      times.push(performance.now() - began)
    }
    expect(new Set((await flood).map(({ status }) => status))).toEqual(new Set([200]))
    times.sort((a, b) => a - b)
    expect(times[Math.floor(times.length / 2)]).toBeLessThan(250)
  })
})

test('sets a password once by invitation and ends other sessions', async () => {
  const email = await addSuperadmin(newEmail('invited'))
  const { db, seal } = portal.app
  const old = await portal.sessionOf(email)
  const { id: user } = await db
    .selectFrom('portal_user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const [id, other] = await db
    .transaction()
    .execute(async (tx) => [await addInvitation(tx, user), await addInvitation(tx, user)])
  const token = invitationToken(seal, id)
  await db.updateTable('portal_user').set({ name: 'Rao, Asha (EXT)' }).where('id', '=', user).execute()
  const greeting = await portal.request('POST', '/user/invitation', { body: { token } })
  expect(await greeting.json()).toEqual({
    email,
    name: 'Asha Rao',
    organization: null,
    purpose: 'invitation',
    newEmail: null,
    nextClass: null,
  })

  const set = (with_: string, password = 'quite another one') =>
    portal.request('POST', '/user/password', { body: { token: with_, password } })
  expect((await set(token, 'short')).status).toBe(400)
  const [one, two] = await Promise.all([set(token), set(token)])
  expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([200, 404])
  expect((await me({ uid: old })).status).toBe(401)
  expect((await me({ uid: await uidOf(one.ok ? one : two) })).status).toBe(200)
  expect((await login(email, 'quite another one')).status).toBe(200)
  const refused = [token, invitationToken(seal, other), `${id}.${'A'.repeat(43)}`, 'x'.repeat(60)]
  for (const bad of refused) expect((await set(bad)).status).toBe(404)
})

test('ends sessions of a deleted user', async () => {
  const email = await addSuperadmin(newEmail('leaver'))
  const [root, deletedUser] = [await portal.sessionOf('root@portal.test'), await portal.sessionOf(email)]
  const body = { email, organization: null }
  expect((await portal.request('DELETE', '/admin/users', { uid: root, body })).status).toBe(200)
  expect((await me({ uid: deletedUser })).status).toBe(401)
})

test('expires a session and an invitation after seven days', async () => {
  const DAYS = 24 * 3_600
  const at = (ahead: number) => setPortalClock(portal.owner, { ahead })
  await at(0)
  const email = await addSuperadmin(newEmail('sleeper'))
  const uid = await portal.sessionOf(email)
  const { db, seal } = portal.app
  const user = await db.selectFrom('portal_user').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const token = invitationToken(seal, await db.transaction().execute((tx) => addInvitation(tx, user.id)))
  const greet = () => portal.request('POST', '/user/invitation', { body: { token } })
  await at(7 * DAYS - 3_600)
  expect([(await me({ uid })).status, (await greet()).status]).toEqual([200, 200])
  await at(7 * DAYS + 1)
  expect([(await me({ uid })).status, (await greet()).status]).toEqual([401, 404])
  await at(0)
})

test('uses a __Host- cookie under https, which other hosts cannot set', async () => {
  const https = await startTestPortal(inject('testCluster'), { PUBLIC_URL: 'https://portal.test' })
  try {
    const account = { email: 'root@portal.test', role: 'superadmin', organisation_id: null } as const
    await https.app.db
      .insertInto('portal_user')
      .values({ ...account, password_hash: await hashPassword(PASSWORD) })
      .execute()
    const reply = await https.request('POST', '/user/login', { body: { email: account.email, password: PASSWORD } })
    const set = reply.headers.getSetCookie().find((each) => each.includes('session='))!
    expect(set).toMatch(/^__Host-trainyard_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    expect(reply.headers.getSetCookie().map((each) => each.split('=')[0])).toEqual([
      '__Host-trainyard_session',
      '__Host-trainyard_browser',
    ])
    const uid = await uidOf(reply)
    const statusWith = async (name: string) =>
      (await https.request('GET', '/user/me', { headers: { cookie: `${name}=${uid}` } })).status
    expect([await statusWith(sessionCookie(true)), await statusWith(sessionCookie(false))]).toEqual([200, 401])
    expect((await https.request('GET', '/user/me', { uid })).status).toBe(200)
  } finally {
    await https.close()
  }
})

test('refuses a change if the session ends before the body is complete', async () => {
  const uid = await portal.sessionOf(await addSuperadmin(newEmail('late')))
  const session = sql`session where token_hash = ${hashToken(uid)}`
  await sql`update session set seen_at = portal_now() - interval '1 hour' where token_hash = ${hashToken(uid)}`.execute(
    portal.owner,
  )
  const sent = sendLateBody('PATCH', `${portal.url}/api/user/name`, { token: uid, start: '{"name":' })
  await until(
    'the session is authenticated, by the head of the request',
    () => sql`select from ${session} and seen_at > portal_now() - interval '1 minute'`.execute(portal.owner),
    ({ rows }) => rows.length > 0,
  )
  await sql`delete from ${session}`.execute(portal.owner)
  expect(await sent.end('"Late"}')).toBe(401)
  expect((await sql`select from portal_user where name = 'Late'`.execute(portal.owner)).rows).toEqual([])
})
