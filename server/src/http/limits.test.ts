import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Call } from '@trainyard/contract/call.ts'
import { contract } from '@trainyard/contract/contract.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import { type Role, ROLES } from '@trainyard/contract/words/role.ts'
import { startTestPortal, type TestPortal } from '#test/portal.ts'
import { type Limit, LIMITS } from './limits.ts'

/** People may do a hundredth of what they may elsewhere: guards against guessing are as they are. */
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
async function somebody(role: Role, email: string, organisation_id: OrganisationId = acme): Promise<string> {
  await portal.owner.insertInto('portal_user').values({ email, role, organisation_id, password_hash: null }).execute()
  return portal.sessionOf(email)
}

const calls = Object.values(contract).flatMap((module) => Object.values(module as Record<string, Call>))
const callNamed = (name: string) => calls.find(({ method, path }) => `${method} ${path}` === name)
const rolesOf = ({ roles }: Call): readonly Role[] => (Array.isArray(roles) ? (roles as Role[]) : ROLES)

const mostOf = ({ per, most }: Limit) =>
  per === 'person' || per === 'organisation' ? Math.max(1, Math.round(most * FACTOR)) : most

/** Makes a call that is refused for what it says, and counted all the same. */
const ask = (name: string, uid: string | undefined, address = '10.0.0.1') => {
  const [method, path] = name.split(' ') as [string, string]
  return portal.ask(method, path, {
    ...(uid !== undefined && { uid }),
    headers: { 'x-forwarded-for': address, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
    ...(method === 'GET' ? { query: { unknown: 'x' } } : { body: { unknown: 'x' } }),
  })
}

/** Returns the calls of a limit that are there. */
const namesOf = ({ calls }: Limit): readonly string[] =>
  calls === 'of people' ? ['GET /user/me'] : calls.filter((name) => callNamed(name) !== undefined)

/** Open to anyone and counted by nobody: what asks them often is a probe, a provider or our own doctor. */
const UNCOUNTED = ['GET /health', 'GET /health/proof', 'POST /payments/webhook']

test('every call that a limit names is there, and every call is of one class at least', () => {
  const named = LIMITS.flatMap(({ calls }) => (calls === 'of people' ? [] : calls))
  expect(named.filter((name) => callNamed(name) === undefined)).toEqual([])
  const twice = LIMITS.filter(({ per }) => per !== 'browser').flatMap(({ calls }) =>
    calls === 'of people' ? [] : calls,
  )
  expect(twice.filter((name, at) => twice.indexOf(name) !== at)).toEqual([])
  const open = calls.filter(({ roles }) => roles === 'anyone').map(({ method, path }) => `${method} ${path}`)
  expect(open.filter((name) => !named.includes(name)).toSorted()).toEqual(UNCOUNTED)
})

describe.each(LIMITS.filter((limit) => limit.per !== 'browser' && namesOf(limit).length > 0))(
  'the limit of $name',
  (limit) => {
    const most = mostOf(limit)
    const policy = `"${limit.name}";q=${most};w=${limit.seconds}`
    const names = namesOf(limit)
    const callsOf = async (who: string) => {
      const role = ROLES.find((each) => names.every((name) => rolesOf(callNamed(name)!).includes(each)))!
      const uid = limit.per === 'address' ? undefined : await somebody(role, `${who}-${limit.name}@acme.test`)
      const address = `10.1.${LIMITS.indexOf(limit)}.${who === 'one' ? 1 : 2}`
      return (n: number) => ask(names[n % names.length]!, uid, address)
    }

    // @covers R14.1 A44
    test('is told, held, and another’s is their own', async () => {
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
      const another = await (await callsOf('two'))(0)
      // People of one organisation share its limit.
      expect(another.status === 429).toBe(limit.per === 'organisation')
    })
  },
)

// @covers R14.2
test('people of one organisation share what it may, and another organisation has its own', async () => {
  const globex = await organisation('Globex')
  const [one, two] = [
    await somebody('admin', 'one@globex.test', globex),
    await somebody('admin', 'two@globex.test', globex),
  ]
  const other = await somebody('admin', 'other@initech.test', await organisation('Initech'))
  expect((await ask('POST /azure/machines', one)).status).toBe(400)
  expect((await ask('POST /azure/machines', two)).status).toBe(429)
  expect((await ask('POST /azure/machines', other)).status).toBe(400)
})

test('a limit is counted before it is looked at what somebody sends, and after who they are', async () => {
  const user = await somebody('user', 'user@acme.test')
  const refused = await ask('POST /azure/machines', user)
  expect(refused.status).toBe(403)
  expect(refused.headers.get('ratelimit')).toBeNull()
  expect((await ask('POST /azure/machines', undefined)).headers.get('ratelimit')).toBeNull()
})
