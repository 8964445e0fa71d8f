import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { account } from '../contract/account.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { sessionCookie } from '@trainyard/platform/server/http/authenticate.ts'
import { hashPassword } from './passwords.ts'

const PASSWORD = 'a good long password'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'
let portal: TestPortal

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'), { TRUSTED_PROXIES: '127.0.0.1', IDLE_MINUTES: '60' })
})
afterAll(() => portal.close())

let userCount = 0
async function person(): Promise<string> {
  const email = `person${(userCount += 1)}@portal.test`
  await portal.app.db
    .insertInto('portal_user')
    .values({ email, role: 'superadmin', organisation_id: null, password_hash: await hashPassword(PASSWORD) })
    .execute()
  return email
}

async function logIn(email: string, headers: Record<string, string> = {}): Promise<string> {
  const reply = await portal.request('POST', '/user/login', { body: { email, password: PASSWORD }, headers })
  return ((await reply.json()) as { uid: string }).uid
}

type Sessions = ReplyOf<typeof account.sessions>['sessions']
async function sessionsOf(uid: string, headers?: Record<string, string>): Promise<Sessions> {
  const reply = await portal.request('GET', '/user/sessions', { uid, headers })
  expect(reply.status).toBe(200)
  return ((await reply.json()) as { sessions: Sessions }).sessions
}
const isSignedIn = async (uid: string) => (await portal.request('GET', '/user/me', { uid })).status === 200
const end = (uid: string, id: unknown) => portal.request('DELETE', '/user/session', { uid, body: { id } })

test('lists sessions with browser, address, start and last use, and marks the current session', async () => {
  const email = await person()
  const other = await logIn(email, { 'user-agent': FIREFOX, 'x-forwarded-for': '198.51.100.7' })
  const ownSession = await logIn(email, { 'user-agent': '', 'x-forwarded-for': '2001:db8::1' })
  const [present, elsewhere, ...more] = await sessionsOf(ownSession)
  expect(more).toEqual([])
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(present).toEqual({
    id: expect.any(String),
    browser: 'Unknown browser',
    address: '2001:db8::1',
    since: instant,
    seen: instant,
    present: true,
  })
  expect(elsewhere).toMatchObject({ browser: 'Firefox on Linux', address: '198.51.100.7', present: false })
  expect(await sessionsOf(other)).toMatchObject([{ present: false }, { present: true }])
})

test('truncates the user agent and shows a malicious one as unknown', async () => {
  const email = await person()
  await logIn(email, { 'user-agent': '<img src=x onerror=alert(1)>' })
  await logIn(email, { 'user-agent': `<b>x</b>/1 (Windows NT 10.0) ${'x'.repeat(4_000)}` })
  const uid = await logIn(email, { 'user-agent': `curl/8.5.0 ${'('.repeat(2_000)}` })
  const browsers = (await sessionsOf(uid)).map(({ browser }) => browser)
  expect(browsers.toSorted()).toEqual(['Unknown browser', 'Unknown browser on Windows', 'curl'])
})

test('updates last use and address at most once a minute', async () => {
  const email = await person()
  const uid = await logIn(email, { 'x-forwarded-for': '198.51.100.1' })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const [first] = await sessionsOf(uid, from('198.51.100.2'))
  expect(first!.address).toBe('198.51.100.1')
  const written = async () => {
    const { rows } = await sql<{ version: string }>`select s.xmin::text as version from session s
      join portal_user u on u.id = s.user_id where u.email = ${email}`.execute(portal.owner)
    return rows[0]!.version
  }
  const before = await written()
  await Promise.all(Array.from({ length: 20 }, () => isSignedIn(uid)))
  expect(await written()).toBe(before)
  await setPortalClock(portal.owner, { ahead: 61 })
  const [later] = await sessionsOf(uid, from('198.51.100.3'))
  expect(later!.address).toBe('198.51.100.3')
  expect(Date.parse(later!.seen) - Date.parse(first!.seen)).toBeGreaterThanOrEqual(61_000)
  expect(later!.since).toBe(first!.since)
  await setPortalClock(portal.owner, { ahead: 0 })
})

test('ends one session immediately and keeps the others', async () => {
  const email = await person()
  const [ownSession, other, third] = [await logIn(email), await logIn(email), await logIn(email)]
  const ofOther = (await sessionsOf(other)).find(({ present }) => present)!
  const replies = await Promise.all([end(ownSession, ofOther.id), end(third, ofOther.id)])
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
  expect([await isSignedIn(ownSession), await isSignedIn(other), await isSignedIn(third)]).toEqual([true, false, true])
  expect((await sessionsOf(ownSession)).map(({ id }) => id)).not.toContain(ofOther.id)
})

test("answers 404 for another user's session and does not end the session", async () => {
  const [ownSession, otherSession] = [await logIn(await person()), await logIn(await person())]
  const [session] = await sessionsOf(otherSession)
  const replyTo = async (id: string) => {
    const reply = await end(ownSession, id)
    return [reply.status, { ...((await reply.json()) as object), requestId: '' }]
  }
  expect(await replyTo(session!.id)).toEqual(await replyTo('00000000-0000-4000-8000-000000000000'))
  expect((await replyTo(session!.id))[0]).toBe(404)
  expect(await isSignedIn(otherSession)).toBe(true)
})

test('ends all other sessions of the caller and no sessions of other users', async () => {
  const email = await person()
  const [ownSession, ...others] = [await logIn(email), await logIn(email), await logIn(email)]
  const otherSession = await logIn(await person())
  const reply = await portal.request('DELETE', '/user/sessions', { uid: ownSession })
  expect(await reply.json()).toEqual({ message: '2 other sessions were ended.' })
  expect(await Promise.all([ownSession, otherSession, ...others].map(isSignedIn))).toEqual([true, true, false, false])
})

test.each([[undefined], ['me'], [7], ['00000000-0000-4000-8000-00000000000g']])(
  'rejects the session id %j, naming the field',
  async (id) => {
    const reply = await end(await logIn(await person()), id)
    expect(reply.status).toBe(400)
    expect(((await reply.json()) as { message: string }).message).toContain('id')
  },
)

test('rejects a cross-site request to end sessions', async () => {
  const email = await person()
  const [ownSession, other] = [await logIn(email), await logIn(email)]
  const headers = { cookie: `${sessionCookie(false)}=${ownSession}`, origin: 'https://evil.test' }
  expect((await portal.request('DELETE', '/user/sessions', { headers })).status).toBe(403)
  expect(await isSignedIn(other)).toBe(true)
})

test("ends a session that was idle longer than its organisation's limit, but no active session", async () => {
  const { db } = portal.app
  const { id: organisation_id } = await db
    .insertInto('organisation')
    .values({ name: 'Idle School', logo: null, idle_minutes: 15 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const email = `idle${(userCount += 1)}@school.test`
  await db.insertInto('portal_user').values({ email, role: 'user', organisation_id, password_hash: null }).execute()
  const [used, unused] = [await portal.sessionOf(email), await portal.sessionOf(email)]
  const at = (minutes: number) => setPortalClock(portal.owner, { ahead: minutes * 60 })
  await at(14)
  expect(await isSignedIn(used)).toBe(true)
  await at(16)
  expect([await isSignedIn(used), await isSignedIn(unused)]).toEqual([true, false])
  expect(await sessionsOf(used)).toHaveLength(1)
  // Background polling without user activity does not count as use.
  const unattended = async () =>
    (await portal.request('GET', '/user/me', { uid: used, headers: { 'x-unattended': '1' } })).status
  await at(28)
  expect(await unattended()).toBe(200)
  await at(32)
  expect(await unattended()).toBe(401)
  await at(0)
})

test('applies the installation’s idle limit without an organisation limit, also to superadmins', async () => {
  const { db } = portal.app
  const organisations = await db
    .insertInto('organisation')
    .values([null, 30, 120].map((idle_minutes) => ({ name: `Idle for ${idle_minutes}`, logo: null, idle_minutes })))
    .returning('id')
    .execute()
  const emails = await Promise.all([
    person(),
    ...organisations.map(async ({ id: organisation_id }) => {
      const email = await person()
      await db.updateTable('portal_user').set({ role: 'user', organisation_id }).where('email', '=', email).execute()
      return email
    }),
  ])
  // Each check uses a new session, because the check itself counts as use.
  const after = async (minutes: number) => {
    const uids = await Promise.all(emails.map((email) => logIn(email)))
    await setPortalClock(portal.owner, { ahead: minutes * 60 })
    const found = await Promise.all(uids.map(isSignedIn))
    await setPortalClock(portal.owner, { ahead: 0 })
    return found
  }
  expect(await after(29)).toEqual([true, true, true, true])
  expect(await after(31)).toEqual([true, true, false, true])
  expect(await after(61)).toEqual([false, false, false, true])
})

test('lets an organisation shorten, but not lengthen, the idle limit of its superadmins', async () => {
  const { db } = portal.app
  for (const [idle_minutes, isActiveAt40] of [
    [30, false],
    [120, true],
  ] as const) {
    const { id: organisation_id } = await db
      .insertInto('organisation')
      .values({ name: `Superiors for ${idle_minutes}`, logo: null, idle_minutes })
      .returning('id')
      .executeTakeFirstOrThrow()
    const email = await person()
    await db.updateTable('portal_user').set({ organisation_id }).where('email', '=', email).execute()
    const [one, other] = [await logIn(email), await logIn(email)]
    await setPortalClock(portal.owner, { ahead: 40 * 60 })
    const at40 = await isSignedIn(one)
    await setPortalClock(portal.owner, { ahead: 61 * 60 })
    expect([at40, await isSignedIn(other)]).toEqual([isActiveAt40, false])
    await setPortalClock(portal.owner, { ahead: 0 })
  }
})
