/** @module-tag full */
import { sql } from 'kysely'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { setRoleOf } from '@trainyard/platform/test/role.ts'
import { type Call, methodOf, pathOf } from '@trainyard/platform/contract/call.ts'
import { contract } from '@trainyard/modules/contract.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { SCOPE_NAMES, type Scope } from '@trainyard/platform/contract/scope.ts'
import { sampleOf } from './access/test-rows.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { MARKER, PEOPLE } from '@trainyard/platform/test/world.ts'
import { createSubjects, type Subject } from './world.ts'
import { KEY_PREFIX } from '@trainyard/platform/contract/scope.ts'
import { hashPassword } from '@trainyard/users/server/passwords.ts'
import { hasSecretForm, newSecret } from '@trainyard/platform/server/core/token.ts'

let portal: TestPortal
let own: Subject
let foreign: Subject
beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'), { TRUSTED_PROXIES: '1' })
  ;({ own, foreign } = await createSubjects(portal))
})
afterAll(() => portal.close())

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

async function request(method: string, path: string, options: Parameters<TestPortal['request']>[2]): Promise<Reply> {
  const reply = await portal.request(method, path, options)
  const text = await reply.text()
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true
  return { status: reply.status, headers: reply.headers, body: isJson ? (JSON.parse(text) as Reply['body']) : { text } }
}

let count = 0
interface KeyOptions {
  readonly scopes?: readonly string[]
  readonly kind?: 'personal' | 'service'
  readonly networks?: readonly string[]
  readonly name?: string
  readonly days?: number
}
async function create(email: string, wanted: KeyOptions = {}): Promise<Reply> {
  const uid = await portal.sessionOf(email)
  const body = {
    name: `Key ${(count += 1)}`,
    kind: 'personal',
    scopes: ['machine:read'],
    days: 90,
    networks: [],
    ...wanted,
  }
  return request('POST', '/user/keys', { uid, body })
}
async function keyOf(email: string, wanted?: KeyOptions): Promise<{ key: string; id: string }> {
  const { status, body } = await create(email, wanted)
  expect(status).toBe(200)
  return body as { key: string; id: string }
}
const machines = (key: string, headers?: Record<string, string>) =>
  request('GET', '/azure/machines', { uid: key, query: { trainingName: own.trainingName }, headers })
const list = async (email: string) =>
  (await request('GET', '/user/keys', { uid: await portal.sessionOf(email) })).body['keys'] as {
    id: string
    name: string
    prefix: string
    state: string
    used: unknown
    networks: string[]
  }[]

describe('the form of a key', () => {
  test('has a prefix and a checksum that scanners can verify', () => {
    const key = newSecret(KEY_PREFIX)
    expect(key).toMatch(/^try_live_[0-9A-Za-z]{49}$/)
    expect(hasSecretForm(KEY_PREFIX, key)).toBe(true)
    const [changed] = [key.at(12) === 'a' ? 'b' : 'a']
    expect(hasSecretForm(KEY_PREFIX, key.slice(0, 12) + changed + key.slice(13))).toBe(false)
    expect(hasSecretForm(KEY_PREFIX, `try_test_${key.slice(9)}`)).toBe(false)
  })
})

test('a key is returned once and stored as a hash', async () => {
  const { key, id } = await keyOf(PEOPLE.admin)
  const listed = (await list(PEOPLE.admin)).find((each) => each.id === id)
  expect(listed).toMatchObject({ prefix: key.slice(0, 13), state: 'active', used: null })
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from api_key k where k::text like ${`%${key.slice(13)}%`})
      or exists (select from audit a where a::text like ${`%${key.slice(13)}%`})
      or exists (select from stored_reply r where r::text like ${`%${key.slice(13)}%`}) as found`.execute(portal.owner)
  expect(rows[0]!.found).toBe(false)
})

test('a list of machines that a key reads contains no passwords', async () => {
  const { key } = await keyOf(PEOPLE.admin)
  const passwords = async (uid: string) =>
    ((await machines(uid)).body as unknown as { adminPass: string | null }[]).map(({ adminPass }) => adminPass)
  expect((await passwords(await portal.sessionOf(PEOPLE.admin))).filter((each) => each !== null)).not.toEqual([])
  expect((await passwords(key)).filter((each) => each !== null)).toEqual([])
})

test('a key acts for the user who created it; use and audit name the key', async () => {
  const { key, id } = await keyOf(PEOPLE.admin, { scopes: ['machine:read', 'budget:write'] })
  expect((await machines(key, { 'x-forwarded-for': '198.51.100.7' })).status).toBe(200)
  const listed = (await list(PEOPLE.admin)).find((each) => each.id === id)
  expect(listed!.used).toEqual({ at: expect.any(String), address: '198.51.100.7' })
  const body = { trainingName: own.trainingName, amount: 100 }
  await request('DELETE', '/budgets', { uid: key, body: { trainingName: own.trainingName } })
  await request('POST', '/budgets', { uid: key, body })
  const { rows } = await sql<{ by: string; key: string }>`
    select actor_email as by, detail ->> 'apiKey' as key from audit where detail ->> 'apiKey' = ${id}`.execute(
    portal.owner,
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(rows[0]).toEqual({ by: PEOPLE.admin, key: id })
})

test('creating a key needs a fresh proof of identity', async () => {
  const uid = await portal.sessionOf(PEOPLE.admin)
  await sql`update session set confirmed_at = null where user_id =
    (select id from portal_user where email = ${PEOPLE.admin})`.execute(portal.owner)
  const body = { name: 'Unattended', kind: 'personal', scopes: ['machine:read'], days: 1, networks: [] }
  expect((await request('POST', '/user/keys', { uid, body })).body['code']).toBe('confirmFirst')
})

test('a key cannot create, list or revoke keys, or change how its creator signs in', async () => {
  const { key, id } = await keyOf(PEOPLE.admin, { scopes: SCOPE_NAMES })
  const calls = [
    ['GET', '/user/keys', undefined],
    ['POST', '/user/keys', { name: 'More', kind: 'personal', scopes: ['machine:read'], days: 1, networks: [] }],
    ['DELETE', '/user/keys', { id }],
    ['POST', '/user/password/change', { password: own.password, newPassword: 'a quite different phrase' }],
    ['DELETE', '/user/sessions', undefined],
  ] as const
  for (const [method, path, body] of calls) {
    const { status, body: refusal } = await request(method, path, { uid: key, body })
    expect([path, status, refusal['message']]).toEqual([
      path,
      403,
      'This call cannot be made with an API key. Please log in.',
    ])
  }
})

type PublicOperation = (typeof publicCalls)[number]
const publicCalls = Object.entries(contract).flatMap(([module, calls]) =>
  Object.entries(calls as Record<string, Call>).flatMap(([name, call]) =>
    call.public === undefined ? [] : [{ id: `${module}.${name}`, module, name, call, ...call.public }],
  ),
)

describe.each(['user', 'admin', 'superadmin'] as const)('keys of the role %s', (role: Role) => {
  const keys = new Map<Scope, string>()
  beforeAll(async () => {
    for (const scope of SCOPE_NAMES) keys.set(scope, (await keyOf(PEOPLE[role], { scopes: [scope] })).key)
  })

  test.each(publicCalls.filter((each) => each.scope !== null) as (PublicOperation & { scope: Scope })[])(
    '$id needs $scope',
    async ({ module, name, call, scope }) => {
      // Calls name a foreign subject, so that they do not change the rows of other tests.
      const [asked] = sampleOf(module, name).request(foreign, role)
      const send = (uid: string) => request(methodOf(call), pathOf(call), { uid, ...asked })
      const isAllowed = call.for !== 'anyone' && (call.for === 'signed in' || call.for.includes(role))
      const allowed = await send(keys.get(scope)!)
      const refusal = /scope|API key|access level/.exec(String(allowed.body['message']))
      expect(refusal === null).toBe(isAllowed)
      // Admins get every other scope. Other users get one scope, because roles and scopes are checked independently.
      const others = SCOPE_NAMES.filter((each) => each !== scope).slice(0, role === 'admin' ? undefined : 1)
      const refusals: Reply[] = []
      // Exports run one after the other, because the server refuses concurrent ones.
      for (const other of others) refusals.push(await send(keys.get(other)!))
      expect(new Set(refusals.map(({ status, body }) => `${status} ${String(body['message'])}`))).toEqual(
        new Set([`403 This API key lacks the scope ${scope}.`]),
      )
      expect(refusals[0]!.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`)
    },
  )
})

test('operations of the public API have distinct names, and each scope is needed by an operation', () => {
  expect(new Set(publicCalls.map(({ operation }) => operation)).size).toBe(publicCalls.length)
  expect(new Set(publicCalls.map(({ scope }) => scope))).toEqual(new Set([...SCOPE_NAMES, null]))
})

test('a key of any scope can read its own description, and a session is refused', async () => {
  const { key } = await keyOf(PEOPLE.user, { name: 'Command line', scopes: ['audit:read'] })
  const { body } = await request('GET', '/user/key', { uid: key })
  expect(body).toMatchObject({
    name: 'Command line',
    scopes: ['audit:read'],
    email: PEOPLE.user,
    userType: 'user',
    organization: own.organization,
  })
  const ofSuperadmin = await keyOf(PEOPLE.superadmin)
  expect((await request('GET', '/user/key', { uid: ofSuperadmin.key })).body['organization']).toBe(null)
  const uid = await portal.sessionOf(PEOPLE.user)
  expect((await request('GET', '/user/key', { uid })).status).toBe(400)
})

test('an Idempotency-Key of one user does not return the reply of another user', async () => {
  const used = { 'idempotency-key': 'announcement-1' }
  const announce = (uid: string, subject: Subject, text: string) => {
    const { trainingName, organization } = subject
    const body = { trainingName, organization, text, minutes: 15 }
    return request('POST', '/azure/class/announcement', { uid, body, headers: used })
  }
  const first = (await keyOf(PEOPLE.admin, { scopes: ['class:write'] })).key
  const second = (await keyOf(`admin@${MARKER}.test`, { scopes: ['class:write'] })).key
  expect((await announce(first, own, 'A break')).status).toBe(200)
  expect((await announce(first, own, 'Another text')).status).toBe(422)
  // Two keys of the same user share their idempotency keys, because a program may change its key between two attempts.
  const third = (await keyOf(PEOPLE.admin, { scopes: ['class:write'] })).key
  expect((await announce(third, own, 'Another text')).status).toBe(422)
  expect((await announce(second, foreign, 'Another text')).status).toBe(200)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from stored_reply where key = 'announcement-1'`.execute(portal.owner)
  expect(rows[0]!.n).toBe(2)
})

describe('a key ends', () => {
  const DEAD = [401, 'Bearer error="invalid_token"']
  const replyTo = async (key: string) => {
    const { status, headers } = await machines(key)
    return [status, headers.get('www-authenticate')]
  }

  test('when it is revoked, at once', async () => {
    const { key, id } = await keyOf(PEOPLE.admin)
    expect((await machines(key)).status).toBe(200)
    const uid = await portal.sessionOf(PEOPLE.admin)
    expect((await request('DELETE', '/user/keys', { uid, body: { id } })).status).toBe(200)
    expect(await replyTo(key)).toEqual(DEAD)
  })

  test('when its creator loses the role, or is deleted', async () => {
    const creator = `maker@own.test`
    const organisation_id = (
      await portal.app.db
        .selectFrom('organisation')
        .select('id')
        .where('name', '=', own.organization)
        .executeTakeFirstOrThrow()
    ).id
    await portal.app.db.insertInto('portal_user').values({ email: creator, role: 'admin', organisation_id }).execute()
    const keys = [await keyOf(creator), await keyOf(creator, { kind: 'service' })]
    await setRoleOf(portal.app.db, creator, 'user')
    // A maker who returns does not get the keys back.
    await setRoleOf(portal.app.db, creator, 'admin')
    for (const { key: former } of keys) expect(await replyTo(former)).toEqual(DEAD)
    const { key } = await keyOf(creator)
    expect((await machines(key)).status).toBe(200)
    await sql`delete from portal_user where email = ${creator}`.execute(portal.owner)
    expect(await replyTo(key)).toEqual(DEAD)
  })

  test('when an admin signs out its creator everywhere', async () => {
    const { key } = await keyOf(PEOPLE.user)
    const uid = await portal.sessionOf(PEOPLE.admin)
    const { status } = await request('PATCH', '/admin/users', { uid, body: { email: PEOPLE.user, signOut: true } })
    expect(status).toBe(200)
    expect(await replyTo(key)).toEqual(DEAD)
  })

  test('outside its networks', async () => {
    const { key } = await keyOf(PEOPLE.admin, { networks: ['198.51.100.7', '203.0.113.0/24', '2001:db8::/48'] })
    const from = async (address: string) => (await machines(key, { 'x-forwarded-for': address })).status
    expect([await from('198.51.100.7'), await from('203.0.113.200'), await from('2001:db8::1')]).toEqual([
      200, 200, 200,
    ])
    expect([await from('198.51.100.8'), await from('2001:db9::1')]).toEqual([401, 401])
    // A client invents addresses before the one that the proxy appends, which can be private.
    for (const real of ['203.0.114.1', '10.0.0.9', '127.0.0.1']) expect(await from(`198.51.100.7, ${real}`)).toBe(401)
    // Some proxies append the port of the client.
    expect([
      await from('198.51.100.7:4711'),
      await from('[2001:db8::1]:4711'),
      await from('198.51.100.8:4711'),
    ]).toEqual([200, 200, 401])
    expect([await from('unknown'), await from('fe80::1%eth0')]).toEqual([401, 401])
  })

  test('after its last day', async () => {
    const { key } = await keyOf(PEOPLE.admin, { days: 1 })
    await setPortalClock(portal.owner, { ahead: 86_401 })
    try {
      expect(await replyTo(key)).toEqual(DEAD)
    } finally {
      await setPortalClock(portal.owner, { ahead: 0 })
    }
  })

  test.each(['try_live_', `try_live_${'0'.repeat(49)}`, newSecret(KEY_PREFIX)])(
    'if it never existed: %s',
    async (key) => {
      expect(await replyTo(key)).toEqual(DEAD)
    },
  )
})

describe('keys of an organisation', () => {
  test('are seen and revoked by another admin', async () => {
    const second = 'second-admin@own.test'
    const { organisation_id } = await portal.app.db
      .selectFrom('portal_user')
      .select('organisation_id')
      .where('email', '=', PEOPLE.admin)
      .executeTakeFirstOrThrow()
    await portal.app.db.insertInto('portal_user').values({ email: second, role: 'admin', organisation_id }).execute()
    const { id, key } = await keyOf(PEOPLE.admin, { kind: 'service' })
    const personal = await keyOf(PEOPLE.admin)
    expect((await list(second)).map((each) => each.id)).toEqual(expect.arrayContaining([id, personal.id]))
    expect((await list(PEOPLE.user)).map((each) => each.id)).not.toContain(id)
    const revoke = async (email: string, key_id: string) =>
      (await request('DELETE', '/user/keys', { uid: await portal.sessionOf(email), body: { id: key_id } })).status
    expect(await revoke(`admin@${MARKER}.test`, id)).toBe(404)
    expect(await revoke(PEOPLE.user, id)).toBe(404)
    expect(await revoke(second, personal.id)).toBe(200)
    expect(await revoke(second, id)).toBe(200)
    expect((await machines(key)).status).toBe(401)
  })

  test.each([PEOPLE.user, PEOPLE.superadmin])('that are service keys are not created by %s', async (email) => {
    expect((await create(email, { kind: 'service' })).status).toBe(403)
  })
})

describe('keys and the sign-in of their creator', () => {
  const PASSWORD = 'a good long password'
  const statusOf = async (key: string) => {
    const { status, body } = await machines(key)
    return [status, body['code']]
  }
  const changed = async (email: string, password: string, newPassword: string, more: object = {}) => {
    const uid = await portal.sessionOf(email)
    const reply = await request('POST', '/user/password/change', { uid, body: { password, newPassword, ...more } })
    return [reply.status, reply.body['message']]
  }
  const person = async (email: string) => {
    await sql`
      insert into portal_user (email, role, organisation_id, password_hash)
      select ${email}, 'admin', organisation_id, ${await hashPassword(PASSWORD)}
      from portal_user where email = ${PEOPLE.admin}`.execute(portal.owner)
    return email
  }

  test('their creator is mailed at the creation, and chooses at a change of the password whether they stay', async () => {
    const email = await person('chooser@own.test')
    const { key } = await keyOf(email, { name: 'Nightly build' })
    const { rows } = await sql<{ data: object }>`
      select data from pgboss.job where name = 'secret.created' and data ->> 'by' = ${email}`.execute(portal.owner)
    expect(rows).toMatchObject([{ data: { what: 'API key', name: 'Nightly build', address: '127.0.0.1' } }])
    expect(await changed(email, PASSWORD, 'another long password', { keepKeys: true })).toEqual([
      200,
      'Your password was changed. All other sessions were ended, but one API key is still valid.',
    ])
    expect((await machines(key)).status).toBe(200)
    const uid = await portal.sessionOf(email)
    expect((await request('GET', '/user/sessions', { uid })).body['apiKeys']).toBe(1)
    expect((await request('DELETE', '/user/sessions', { uid })).body['message']).toContain('keys are still valid')
    expect(await changed(email, 'another long password', PASSWORD)).toEqual([
      200,
      'Your password was changed. All other sessions and one API key were ended.',
    ])
    expect((await machines(key)).status).toBe(401)
  })

  test('stop while the creator must set up a second factor or choose another password', async () => {
    const email = await person('overdue@own.test')
    const { key } = await keyOf(email)
    const { key: tunnel } = await keyOf(email, { scopes: ['machine:connect'] })
    const inSsh = () =>
      new Promise<number>((resolve, reject) => {
        const socket = new WebSocket(`${portal.url.replace('http', 'ws')}/api/remote/ssh`, {
          headers: { authorization: `Bearer ${tunnel}` },
        })
        socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode!))
        socket.on('open', () => {
          resolve(101)
          socket.terminate()
        })
        socket.on('error', reject)
      })
    const set = (columns: string) =>
      sql`update organisation set ${sql.raw(columns)} where name = ${own.organization}`.execute(portal.owner)
    const accepted = await inSsh()
    try {
      await set(`second_factor = 'required', second_factor_since = '2020-01-01'`)
      await sql`update portal_user set role_since = '2020-01-01' where email = ${email}`.execute(portal.owner)
      expect(await statusOf(key)).toEqual([403, 'secondFactorDue'])
      expect(await inSsh()).toBe(401)
      await set(`second_factor = null, second_factor_since = null, password_change_required = true`)
      expect((await machines(key)).status).toBe(200)
      expect(await inSsh()).toBe(accepted)
      await sql`update portal_user set password_given = true where email = ${email}`.execute(portal.owner)
      expect(await statusOf(key)).toEqual([403, 'passwordChange'])
      expect(await inSsh()).toBe(401)
    } finally {
      await set(`second_factor = null, second_factor_since = null, password_change_required = false`)
    }
  })
})

test('refuses a second key of the same name, unknown scopes and networks', async () => {
  await keyOf(PEOPLE.admin, { name: 'Build' })
  const refusals = [
    { name: 'ＢＵＩＬＤ' },
    { scopes: ['machine:everything'] },
    { scopes: [] },
    { networks: ['10.0.0.0/99'] },
  ]
  const statuses = []
  for (const wanted of refusals) statuses.push((await create(PEOPLE.admin, wanted)).status)
  expect(statuses).toEqual([409, 400, 400, 400])
})

test('counts requests per key and states the limit in headers', async () => {
  const { key } = await keyOf(PEOPLE.admin)
  const { headers } = await machines(key)
  expect(headers.get('ratelimit-policy')).toContain('"key";q=600000;w=60')
})
