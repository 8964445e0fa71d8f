import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Call, limitsOf } from '@trainyard/platform/contract/call.ts'
import { contract } from '@trainyard/modules/contract.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { type Role, ROLES } from '@trainyard/platform/contract/words/role.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import type { Limit } from '@trainyard/platform/contract/limits.ts'
import * as limits from '@trainyard/platform/contract/limits.ts'
import { declaredLimits, isScaled } from '@trainyard/platform/server/http/limits.ts'

/** Scales limits to a hundredth, except those against guessing. */
const FACTOR = 0.01
let portal: TestPortal
let acme: OrganisationId
beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'), {
    RATE_LIMIT_FACTOR: String(FACTOR),
    TRUSTED_PROXIES: 'loopback',
  })
  acme = await organisation('Acme')
})
afterAll(() => portal.close())

const organisation = async (name: string) =>
  (await portal.owner.insertInto('organisation').values({ name, logo: null }).returning('id').executeTakeFirstOrThrow())
    .id
async function signedInUser(role: Role, email: string, organisation_id: OrganisationId = acme): Promise<string> {
  await portal.owner.insertInto('portal_user').values({ email, role, organisation_id, password_hash: null }).execute()
  return portal.sessionOf(email)
}

const calls = Object.values(contract).flatMap((module) => Object.values(module as Record<string, Call>))
const TRANSFER = '/remote/transfers/00000000-0000-0000-0000-000000000000'
const TRANSFERS = [`GET ${TRANSFER}`, `PUT ${TRANSFER}/0`]
const callNamed = (name: string): Call | undefined =>
  TRANSFERS.includes(name) ? contract.remote.transfer : calls.find(({ route }) => route === name)
const rolesOf = ({ for: roles }: Call): readonly Role[] => (Array.isArray(roles) ? (roles as Role[]) : ROLES)

const maxOf = (limit: Limit) => (isScaled(limit) ? Math.max(1, Math.round(limit.max * FACTOR)) : limit.max)

/** Makes a call that counts but is rejected as malformed. */
const send = (name: string, uid: string | undefined, address = '10.0.0.1') => {
  const [method, path] = name.split(' ') as [string, string]
  return portal.request(method, path, {
    ...(uid !== undefined && { uid }),
    headers: { 'x-forwarded-for': address, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
    ...(method === 'GET' ? { query: { unknown: 'x' } } : { body: { unknown: 'x' } }),
  })
}

async function newKey(uid: string): Promise<string> {
  const body = { name: 'Key', kind: 'personal', scopes: ['template:read'], days: 1, networks: [] }
  const reply = await portal.request('POST', '/user/keys', { uid, body })
  return ((await reply.json()) as { key: string }).key
}

const isAllowed = (role: Role, name: string) =>
  callNamed(name) !== undefined && rolesOf(callNamed(name)!).includes(role)

/** Counted by each limit that is no call of the contract, or every call. */
const OTHERS = new Map<Limit, readonly string[]>([
  [limits.publicFiles, ['GET /openapi.json', 'GET /public/openapi.json', `GET /logo/${'0'.repeat(64)}`]],
  [limits.transfers, TRANSFERS],
  [limits.key, ['GET /azure/templates']],
  [limits.calls, ['GET /user/me']],
])

const namesOf = (limit: Limit): readonly string[] =>
  OTHERS.get(limit) ?? calls.filter((call) => limitsOf(call).includes(limit)).map(({ route }) => route)

test('a call has one limit besides that of known browsers, and open calls are limited', () => {
  const several = calls.filter((call) => limitsOf(call).filter(({ per }) => per !== 'browser').length > 1)
  expect(several.map(({ route }) => route)).toEqual([])
  const open = calls.filter((call) => call.for === 'anyone')
  expect(open.filter((call) => limitsOf(call).length === 0).map(({ route }) => route)).toEqual([])
})

const LIMITS = declaredLimits()

describe.each(LIMITS.filter((limit) => limit.per !== 'browser' && namesOf(limit).length > 0))(
  'the limit of $name',
  (limit) => {
    const most = maxOf(limit)
    const policy = `"${limit.name}";q=${most};w=${limit.seconds}`
    // The calls that the caller's role may make, if no role may make all.
    const role = ROLES.find((each) => isAllowed(each, namesOf(limit)[0]!))
    const names = namesOf(limit).filter((name) => limit.per === 'address' || isAllowed(role!, name))
    const callsOf = async (caller: string) => {
      const session =
        limit.per === 'address' ? undefined : await signedInUser(role!, `${caller}-${limit.name}@acme.test`)
      const uid = limit.per === 'key' ? await newKey(session!) : session
      const address = `10.1.${LIMITS.indexOf(limit)}.${caller === 'one' ? 1 : 2}`
      return (n: number) => send(names[n % names.length]!, uid, address)
    }

    test('is announced in headers and enforced per key', { tags: most > 1_000 ? ['storm'] : [] }, async () => {
      const one = await callsOf('one')
      const first = await one(0)
      expect(first.status).not.toBe(429)
      expect(first.headers.get('ratelimit-policy')).toContain(policy)
      expect(first.headers.get('ratelimit')).toMatch(new RegExp(`"${limit.name}";r=${most - 1};t=\\d+`))
      for (let n = 1; n < most; n += 1) expect((await one(n)).status).not.toBe(429)
      const beyond = await one(most)
      expect(beyond.status).toBe(429)
      expect(beyond.headers.get('ratelimit')).toMatch(new RegExp(`"${limit.name}";r=0;t=\\d+`))
      const wait = Number(beyond.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(limit.seconds)
      const otherCaller = await (await callsOf('two'))(0)
      expect(otherCaller.status === 429).toBe(limit.per === 'organisation')
    })
  },
)

test("shares an organisation's limit between its users, but not with other organisations", async () => {
  const globex = await organisation('Globex')
  const [one, two] = [
    await signedInUser('admin', 'one@globex.test', globex),
    await signedInUser('admin', 'two@globex.test', globex),
  ]
  const other = await signedInUser('admin', 'other@initech.test', await organisation('Initech'))
  expect((await send('POST /azure/machines', one)).status).toBe(400)
  expect((await send('POST /azure/machines', two)).status).toBe(429)
  expect((await send('POST /azure/machines', other)).status).toBe(400)
})

test('every call that makes a file for a user, or an image at the cloud, has a separate limit', () => {
  const files = calls.filter((call) => call.kind === 'file' && call.for !== 'anyone')
  const unlimited = [...files, contract.image.capture].filter((call) => limitsOf(call).length === 0)
  expect(unlimited.map(({ route }) => route)).toEqual([])
})

test('counts a large SCIM request as one request for each 64 kB', async () => {
  const uid = await signedInUser('admin', 'scim@limits.test')
  const created = await portal.request('POST', '/admin/scim/tokens', { uid, body: { name: 'Directory', days: 1 } })
  const { token } = (await created.json()) as { token: string }
  const create = async (displayName: string, bytes: number) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
    const body = JSON.stringify({ displayName, unknown: 'x'.repeat(bytes) })
    return (await fetch(`${portal.url}/scim/v2/Groups`, { method: 'POST', headers, body })).status
  }
  expect(await create('Small', 1_000)).toBe(201)
  expect(await create('Large', 1_000_000)).toBe(201)
  expect(await create('Larger', 1_900_000)).toBe(429)
})

test('no limit but their own counts sessions that the process does not know', async () => {
  const { max } = LIMITS.find(({ per }) => per === 'key')!
  const open = (n: number) =>
    portal.request('GET', '/user/me', { uid: `unknown-${n}`, headers: { 'x-forwarded-for': '10.2.0.1' } })
  const statuses = new Set<number>()
  // A few at once, because refusals of more calls at once are delayed.
  for (let sent = 0; sent <= max * FACTOR; sent += 6) {
    for (const { status } of await Promise.all(Array.from({ length: 6 }, (_, n) => open(sent + n))))
      statuses.add(status)
  }
  expect([...statuses]).toEqual([401])
})

test('counts calls that the role refuses', async () => {
  const user = await signedInUser('user', 'refused@acme.test')
  const most = maxOf(LIMITS.find(({ name }) => name === 'calls')!)
  const statuses = []
  for (let call = 0; call <= most; call += 1) statuses.push((await send('POST /azure/machines', user)).status)
  expect([new Set(statuses.slice(0, most)), statuses.at(-1)]).toEqual([new Set([403]), 429])
})

test('checks the role first, then the limit, then the body', async () => {
  const user = await signedInUser('user', 'user@acme.test')
  const refused = await send('POST /azure/machines', user)
  expect(refused.status).toBe(403)
  expect(refused.headers.get('ratelimit')).toBeNull()
  expect((await send('POST /azure/machines', undefined)).headers.get('ratelimit')).toBeNull()
})

test('counts the sessions that a process does not know only by the limit of a network', async () => {
  const statuses: number[] = []
  // More than an API key may call with this factor.
  for (let n = 0; n < 10; n += 1) {
    const uid = await signedInUser('user', `returning${n}@acme.test`)
    const reply = await portal.request('GET', '/user/me', { uid, headers: { 'x-forwarded-for': '10.0.0.77' } })
    statuses.push(reply.status)
  }
  expect(new Set(statuses)).toEqual(new Set([200]))
})
