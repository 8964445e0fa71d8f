import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { appCode } from '@trainyard/platform/test/app-code.ts'
import { sendLateBody } from '@trainyard/platform/test/late-body.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { startPortalOn } from '@trainyard/platform/test/portal.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { hashPassword } from '@trainyard/users/server/passwords.ts'
import { SessionCache } from '@trainyard/platform/server/http/session-cache.ts'

/** Caches whose sessions never expire, so that only a notification ends a cached session. */
const timeless = () => ({ sessionCache: new SessionCache<never>(() => 0) })
const one = await sharedPortal({}, timeless())
const other = await startPortalOn(one.settings['DATABASE_URL']!, {}, timeless())
afterAll(() => other.close())

const CALL = '/user/me'
const PASSWORD = 'a good long password'
const passwordHash = hashPassword(PASSWORD)
/** Gray square of 16 by 16 pixels. */
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAADUlEQVR42mNgGAXIAAABEAABf80DtQAAAABJRU5ErkJggg=='
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
  await untilRefused(other, uid)
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

describe('another process judges a session anew after', () => {
  interface Own {
    readonly organization: string
    readonly organisation: OrganisationId
    readonly email: string
    readonly root: string
    /** Another session of the user. */
    readonly uid: string
  }
  const makeUser = async (role: Role): Promise<Own> => {
    const organization = `School ${(userCount += 1)}`
    const { id } = await one.owner
      .insertInto('organisation')
      .values({ name: organization, logo: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const email = `${role}${userCount}@school.test`
    await one.owner
      .insertInto('portal_user')
      .values([
        { email, role, organisation_id: id, password_hash: await passwordHash },
        { email: `chief${userCount}@school.test`, role: 'admin', organisation_id: id },
      ])
      .execute()
    await one.owner.insertInto('training').values({ organisation_id: id, name: 'Class' }).execute()
    return { organization, organisation: id, email, root: await signedIn(), uid: await one.sessionOf(email) }
  }
  const send = async (method: string, path: string, uid: string, ask: { body?: object; query?: object } = {}) => {
    const reply = await one.request(method, path, { uid, ...ask })
    const body: unknown = await reply.json()
    if (!reply.ok) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    // oxlint-disable-next-line typescript/no-explicit-any -- the tests check the shape
    return body as any
  }
  const training = ({ organization }: Own) => ({ organization, trainingName: 'Class' })

  const ends: readonly (readonly [string, Role, (own: Own, session: string) => Promise<unknown>])[] = [
    [
      'a change of the access level',
      'admin',
      ({ email, root }) => send('PATCH', '/admin/users', root, { body: { email, userType: 'user' } }),
    ],
    [
      'the removal of the user',
      'user',
      ({ email, root, organization }) => send('DELETE', '/admin/users', root, { body: { email, organization } }),
    ],
    [
      'the removal of the organisation',
      'user',
      ({ root, organization }) => send('DELETE', '/admin/organization', root, { body: { organization } }),
    ],
    [
      'a change of the password',
      'user',
      ({ uid }) =>
        send('POST', '/user/password/change', uid, {
          body: { password: PASSWORD, newPassword: `another ${PASSWORD}` },
        }),
    ],
    [
      'a new second factor',
      'user',
      async ({ uid }) => {
        const { setup, secret } = await send('POST', '/account/second-factor/app', uid)
        const body = { setup, code: appCode(secret, new Date()) }
        await send('POST', '/account/second-factor/app/confirm', uid, { body })
      },
    ],
    ['the end of all other sessions', 'user', ({ uid }) => send('DELETE', '/user/sessions', uid)],
    [
      'the end of one session by another',
      'user',
      async ({ uid }) => {
        const { sessions } = await send('GET', '/user/sessions', uid)
        const { id } = sessions.find(({ present }: { present: boolean }) => !present)
        await send('DELETE', '/user/session', uid, { body: { id } })
      },
    ],
    ['the sign-out', 'user', (_own, session) => send('POST', '/user/logout', session)],
    ['an erasure', 'user', ({ email, root }) => send('POST', '/privacy/erasures', root, { body: { email } })],
    [
      'the deactivation by a directory',
      'user',
      async ({ root, organization, organisation, email }) => {
        const body = { organization, name: 'Directory', days: 30 }
        const { token } = await send('POST', '/admin/scim/tokens', root, { body })
        const scim = (method: string, path: string, ask: object) =>
          fetch(`${one.url}/scim/v2${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
            body: JSON.stringify(ask),
          })
        await one.owner
          .insertInto('organisation_domain')
          .values({ organisation_id: organisation, domain: 'school.test', verified_at: new Date(), verified_by: 'dns' })
          .execute()
        const added = await scim('POST', '/Users', {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
          userName: email,
          active: false,
        })
        await one.owner.deleteFrom('organisation_domain').where('domain', '=', 'school.test').execute()
        if (added.status !== 201) throw new Error(await added.text())
      },
    ],
  ]
  test.each(ends)('%s, which ends the session', async (_what, role, change) => {
    const own = await makeUser(role)
    const session = await one.sessionOf(own.email)
    await untilCached(other, session)
    await change(own, session)
    await expect.poll(() => statusOf(other, session), { timeout: 10_000 }).toBe(401)
  })

  type Me = Record<'name' | 'timeZone' | 'logo' | 'secondFactorDue', unknown>
  const changes: readonly (readonly [string, keyof Me, unknown, (own: Own) => Promise<unknown>])[] = [
    [
      'a change of the name',
      'name',
      'Asha',
      ({ email, root }) => send('PATCH', '/admin/users', root, { body: { email, name: 'Asha' } }),
    ],
    [
      'a change of the time zone',
      'timeZone',
      'Europe/Berlin',
      ({ organization, root }) =>
        send('PATCH', '/admin/organization/profile', root, { body: { organization, timeZone: 'Europe/Berlin' } }),
    ],
    [
      'a change of the logo',
      'logo',
      expect.any(String),
      ({ organization, root }) =>
        send('PATCH', '/admin/organization/logo', root, { body: { organization, image: IMAGE } }),
    ],
    [
      'a requirement of second factors',
      'secondFactorDue',
      expect.anything(),
      ({ organization, root }) =>
        send('PATCH', '/admin/organization/security', root, { body: { organization, secondFactor: 'required' } }),
    ],
  ]
  test.each(changes)('%s', async (_what, field, value, change) => {
    const own = await makeUser('admin')
    await untilCached(other, own.uid)
    const shown = async () => ((await (await other.request('GET', '/user/me', { uid: own.uid })).json()) as Me)[field]
    await change(own)
    await expect.poll(shown).toEqual(value)
  })

  test('the appointment and the removal of an instructor', async () => {
    const own = await makeUser('user')
    await untilCached(other, own.uid)
    const status = async () =>
      (await other.request('GET', '/azure/class', { uid: own.uid, query: training(own) })).status
    expect(await status()).toBe(403)
    await send('POST', '/azure/class/instructors', own.root, { body: { ...training(own), email: own.email } })
    await until('the class is shown', status, (now) => now === 200)
    await untilCached(other, own.uid)
    const query = { ...training(own), email: own.email }
    await send('DELETE', '/azure/class/instructors', own.root, { query })
    await until('the call is refused', status, (now) => now === 403)
  })
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

const untilRefused = (portal: typeof one, uid: string) =>
  until(
    'the session is refused',
    () => statusOf(portal, uid),
    (status) => status === 401,
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
