import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { sendLateBody } from '#test/late-body.ts'
import { sharedPortal } from '#test/shared.ts'
import { startPortalOn } from '#test/portal.ts'
import { until } from '#test/until.ts'
import { hashToken } from '../core/tokens.ts'
import { SessionCache } from './session-cache.ts'

/** Caches whose sessions never expire, so that only a notification ends a cached session. */
const timeless = () => ({ sessionCache: new SessionCache<never>(() => 0) })
const one = await sharedPortal({}, timeless())
const other = await startPortalOn(one.settings['DATABASE_URL']!, {}, timeless())
afterAll(() => other.close())

const CALL = '/admin/dashboard'
let userCount = 0

async function signedIn(): Promise<string> {
  const email = `boss${(userCount += 1)}@portal.test`
  await one.owner.insertInto('portal_user').values({ email, role: 'superadmin', organisation_id: null }).execute()
  return one.sessionOf(email)
}

const statusOf = async (portal: typeof one, uid: string): Promise<number> =>
  (await portal.request('GET', CALL, { uid })).status

/** Makes calls with a session until its cached copy answers, which does not need the table. */
async function untilCached(portal: typeof one, uid: string): Promise<void> {
  await until(
    'the session is cached',
    () =>
      one.owner.transaction().execute(async (tx) => {
        await statusOf(portal, uid)
        await sql`lock table session in access exclusive mode`.execute(tx)
        const answered = await portal.request('GET', CALL, { uid, signal: AbortSignal.timeout(300) }).catch(() => null)
        return answered?.status
      }),
    (status) => status === 200,
  )
}

test('refuses an ended session at once in its process, and after a notification in other processes', async () => {
  const uid = await signedIn()
  await untilCached(one, uid)
  await untilCached(other, uid)
  const ended = await one.request('POST', '/user/logout', { uid })
  expect(ended.status).toBe(200)
  expect(await statusOf(one, uid)).toBe(401)
  expect(await untilRefused(other, uid, 401)).toBe(401)
})

test('refuses a change if the session ends before its body is complete', async () => {
  const uid = await signedIn()
  const session = sql`session where token_hash = ${hashToken(uid)}`
  await sql`update session set seen_at = portal_now() - interval '1 hour' where token_hash = ${hashToken(uid)}`.execute(
    one.owner,
  )
  const sent = sendLateBody('PATCH', `${one.url}/api/user/name`, { token: uid, start: '{"name":' })
  await until(
    'the session is authenticated, by the head of the request',
    () => sql`select from ${session} and seen_at > portal_now() - interval '1 minute'`.execute(one.owner),
    ({ rows }) => rows.length > 0,
  )
  await sql`delete from ${session}`.execute(one.owner)
  expect(await sent.end('"Late"}')).toBe(401)
  expect((await sql`select from portal_user where name = 'Late'`.execute(one.owner)).rows).toEqual([])
})

test('refuses a session that another program deleted after a notification', async () => {
  const uid = await signedIn()
  await untilCached(one, uid)
  await one.owner.deleteFrom('session').execute()
  expect(await untilRefused(one, uid, 401)).toBe(401)
})

test('a demoted user loses the role by notification, in every process', async () => {
  const uid = await signedIn()
  await untilCached(one, uid)
  await untilCached(other, uid)
  const email = `boss${userCount}@portal.test`
  await one.owner.updateTable('portal_user').set({ role: 'sandboxuser' }).where('email', '=', email).execute()
  expect(await untilRefused(one, uid, 403)).toBe(403)
  expect(await untilRefused(other, uid, 403)).toBe(403)
})

test('the profile shows a changed name by notification', async () => {
  const uid = await signedIn()
  await untilCached(one, uid)
  const email = `boss${userCount}@portal.test`
  const nameShown = async () => {
    const reply = await one.request('GET', '/user/me', { uid })
    return ((await reply.json()) as { name: string | null }).name
  }
  expect(await nameShown()).toBeNull()
  await one.owner.updateTable('portal_user').set({ name: 'Asha' }).where('email', '=', email).execute()
  await until('the name is shown', nameShown, (name) => name === 'Asha')
})

test('changes always read the session', async () => {
  const uid = await signedIn()
  await untilCached(one, uid)
  await one.owner.transaction().execute(async (tx) => {
    await sql`lock table session in access exclusive mode`.execute(tx)
    const logout = one.request('POST', '/user/logout', { uid, signal: AbortSignal.timeout(300) })
    await expect(logout).rejects.toThrow('timeout')
  })
})

const untilRefused = (portal: typeof one, uid: string, status: number) =>
  until(
    'the session is refused',
    () => statusOf(portal, uid),
    (now) => now === status,
  )

test('reads a session again after two seconds, after a clearing, or while notifications are missed', async () => {
  let now = 0
  let reads = 0
  const cache = new SessionCache<{ read: number }>(() => now)
  const find = (mayStore = true) =>
    cache.find(
      'key',
      async () => ({ read: (reads += 1) }),
      () => mayStore,
    )
  await find()
  expect(await find()).toEqual({ read: 2 })
  cache.start()
  await find(false)
  expect(await find()).toEqual({ read: 4 })
  now = 1_999
  expect(await find()).toEqual({ read: 4 })
  now = 2_000
  expect(await find()).toEqual({ read: 5 })
  cache.clear()
  expect(await find()).toEqual({ read: 6 })
  cache.stop()
  expect(await find()).toEqual({ read: 7 })
  expect(await find()).toEqual({ read: 8 })
})

test('does not store a session after a clearing if it was read before the clearing', async () => {
  const cache = new SessionCache<string>()
  cache.start()
  const before = Promise.withResolvers<string>()
  const reading = cache.find(
    'key',
    () => before.promise,
    () => true,
  )
  cache.clear()
  before.resolve('ended')
  expect(await reading).toBe('ended')
  expect(
    await cache.find(
      'key',
      async () => null,
      () => true,
    ),
  ).toBeNull()
})
