/** @module-tag full */
import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { createTestDatabase, type TestDatabase } from '@trainyard/platform/test/database.ts'
import { addOrganisation } from '@trainyard/platform/test/organisation.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { browserCookie, sessionCookie } from '@trainyard/platform/server/http/authenticate.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { networkOf } from '@trainyard/platform/server/core/network.ts'
import { declaredLimits } from '@trainyard/platform/server/http/limits.ts'
import {
  ORGANISATION_ROWS_PER_MINUTE,
  RefusalAudit,
  ROWS_PER_MINUTE,
  STRANGER_ROWS_PER_MINUTE,
} from '@trainyard/platform/server/http/refusals.ts'
import { startPortalOn, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { hashPassword } from './passwords.ts'

const BROWSER_COOKIE = browserCookie(false)

const PASSWORD = 'a good long password'
/** Sign-ins that unknown browsers of one address may try in a minute. */
const { max: SIGN_INS } = declaredLimits().find(({ name }) => name === 'sign-in')!
const SECRET_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`
let database: TestDatabase
/** Two portals on one database, like two processes. */
let portals: readonly [TestPortal, TestPortal]
let passwordHash: string
let userCount = 0
let email: string

beforeAll(async () => {
  database = await createTestDatabase(inject('testCluster'))
  const start = () => startPortalOn(database.url, { SECRET_KEYS })
  portals = [await start(), await start()]
  passwordHash = await hashPassword(PASSWORD)
})
beforeEach(async () => {
  email = `owner${(userCount += 1)}@portal.test`
  const account = { email, role: 'superadmin', organisation_id: null, password_hash: passwordHash } as const
  await portals[0].app.db.insertInto('portal_user').values(account).execute()
})
afterAll(async () => {
  for (const portal of portals) await portal.close()
  await database.drop()
})

interface From {
  readonly address?: string
  readonly cookie?: string
  readonly portal?: TestPortal
}

const login = (as: string, password: string, { address = '10.0.0.1', cookie, portal = portals[0] }: From = {}) =>
  portal.request('POST', '/user/login', {
    body: { email: as, password },
    headers: { 'x-forwarded-for': address, ...(cookie !== undefined && { cookie }) },
  })

const cookiesOf = (reply: Response): Record<string, string> =>
  Object.fromEntries(reply.headers.getSetCookie().map((set) => set.split(';', 1)[0]!.split('=') as [string, string]))

async function browserOf(as: string, cookie?: string): Promise<string> {
  const reply = await login(as, PASSWORD, { address: '10.9.9.9', ...(cookie !== undefined && { cookie }) })
  expect(reply.status).toBe(200)
  return `${BROWSER_COOKIE}=${cookiesOf(reply)[BROWSER_COOKIE]!}`
}

test(
  'verifies only ten of hundreds of concurrent guesses for one account, from many addresses and across processes',
  { tags: ['storm'] },
  async () => {
    const attempts = Array.from({ length: 290 }, (_, i) =>
      login(email, `guess ${i}`, { address: `10.0.${i % 97}.1`, portal: portals[i % 2]! }),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(280)
    const laterLogin = await login(email, PASSWORD, { address: '10.7.7.7' })
    expect(laterLogin.status).toBe(429)
    expect(Number(laterLogin.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(laterLogin.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  },
)

test('lets the owner sign in with a known browser despite an attacker’s wrong guesses', async () => {
  const cookie = await browserOf(email)
  for (let i = 0; i < 12; i += 1) await login(email, 'wrong')
  expect((await login(email, PASSWORD)).status).toBe(429)
  expect((await login(email, PASSWORD, { cookie })).status).toBe(200)
  expect((await login(email, PASSWORD, { cookie, portal: portals[1] })).status).toBe(200)
})

test('lets the owner sign in even if the guesses come from the owner’s address', async () => {
  const cookie = await browserOf(email)
  const address = '10.4.4.4'
  // Guesses of tokens count against the same address limit as passwords, but need no hashing.
  const body = { token: 'x'.repeat(40) }
  const tryLink = () =>
    portals[0].request('POST', '/user/invitation', { body, headers: { 'x-forwarded-for': address } })
  const statuses = (await Promise.all(Array.from({ length: SIGN_INS + 5 }, tryLink))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 404)).toHaveLength(SIGN_INS)
  expect((await login(email, PASSWORD, { address })).status).toBe(429)
  expect((await login(email, PASSWORD, { address, cookie })).status).toBe(200)
})

test("allows ten wrong guesses in each known browser, without affecting the user's other browsers", async () => {
  const [one, two] = [await browserOf(email), await browserOf(email)]
  for (let i = 0; i < 10; i += 1) expect((await login(email, 'wrong', { cookie: one })).status).toBe(401)
  expect((await login(email, PASSWORD, { cookie: one })).status).toBe(429)
  expect((await login(email, PASSWORD, { cookie: two })).status).toBe(200)
})

test('recognises a browser only for the users in its token, and rejects forged tokens', async () => {
  const other = `other${email}`
  const account = { email: other, role: 'superadmin', organisation_id: null, password_hash: passwordHash } as const
  await portals[0].app.db.insertInto('portal_user').values(account).execute()
  const cookie = await browserOf(other)
  for (let i = 0; i < 10; i += 1) await login(email, 'wrong')
  const forged = [
    cookie,
    cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    `${BROWSER_COOKIE}=${'A'.repeat(22)}.9999999999.${'A'.repeat(43)}`,
    `${BROWSER_COOKIE}=~~~`,
  ]
  for (const each of forged) expect((await login(email, PASSWORD, { cookie: each })).status).toBe(429)
  // A browser shared by two users is remembered for both.
  const shared = await browserOf(other, cookie)
  await login(other, 'wrong', { cookie: shared })
  expect((await login(other, PASSWORD, { cookie: shared })).status).toBe(200)
})

test('hides the browser cookie from scripts, and the cookie does not reveal the user', async () => {
  const set = (await login(email, PASSWORD)).headers.getSetCookie().find((each) => each.startsWith(BROWSER_COOKIE))!
  expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(decodeURIComponent(set)).not.toContain(email.split('@')[0])
})

test('on sign-in, ends the previous session of the same browser, and no other session', async () => {
  const first = await login(email, PASSWORD)
  const uid = ((await first.json()) as { uid: string }).uid
  const otherSession = ((await (await login(email, PASSWORD)).json()) as { uid: string }).uid
  const statusOfSession = async (of: string) => (await portals[0].request('GET', '/user/me', { uid: of })).status
  expect([await statusOfSession(uid), await statusOfSession(otherSession)]).toEqual([200, 200])
  await login(email, 'wrong', { cookie: `${sessionCookie(false)}=${uid}` })
  expect(await statusOfSession(uid)).toBe(200)
  expect((await login(email, PASSWORD, { cookie: `${sessionCookie(false)}=${uid}` })).status).toBe(200)
  expect([await statusOfSession(uid), await statusOfSession(otherSession)]).toEqual([401, 200])
})

test('audits a failed sign-in with e-mail and address, but never a password, not even as the e-mail', async () => {
  expect((await login(email, 'my secret guess', { address: '203.0.113.9' })).status).toBe(401)
  expect((await login('my secret password', 'x', { address: '203.0.113.10' })).status).toBe(401)
  const rows = await portals[0].app.db
    .selectFrom('audit')
    .select(['call', 'actor_email', 'actor_id', 'address', 'refused', 'detail'])
    .where('address', 'like', '203.0.113.%')
    .orderBy('id')
    .execute()
  const row = { call: 'session.login', actor_id: null, refused: 'signedOut' }
  expect(rows).toEqual([
    { ...row, actor_email: email, address: '203.0.113.9', detail: {} },
    { ...row, actor_email: null, address: '203.0.113.10', detail: {} },
  ])
})

/** Writes the given number of refusals, each from the address that `address` returns. */
const refuse = (refusals: RefusalAudit, times: number, address: (i: number) => string) =>
  Promise.all(
    Array.from({ length: times }, (_, i) =>
      refusals.write(null, new Problem('forbidden', 'It is not yours.'), {
        name: 'flood',
        requestId: 'x',
        actor: null,
        address: address(i),
        request: {},
      }),
    ),
  )
const noFault = (fault: unknown) => expect(fault).toBeUndefined()
/** Returns the audit rows of the flood by network: their number, and the counts of omitted rows. Deletes the rows. */
async function isFlooded() {
  const { db } = portals[0].app
  const rows = await db.selectFrom('audit').select(['address', 'detail']).where('call', '=', 'flood').execute()
  await portals[0].owner.deleteFrom('audit').where('call', '=', 'flood').execute()
  const networks = Map.groupBy(rows, ({ address }) => (address === null ? 'anywhere' : networkOf(address)))
  return Object.fromEntries(
    [...networks].map(([network, of]) => {
      const more = of.flatMap(({ detail }) => (detail as { more?: number }).more ?? [])
      return [network, { rows: of.length - more.length, more }]
    }),
  )
}

test('limits audit rows per minute and network, across its addresses', async () => {
  const refusals = new RefusalAudit(portals[0].app.db, noFault)
  await refuse(refusals, ROWS_PER_MINUTE + 20, (i) => `2001:db8:0:7::${i.toString(16)}`)
  await refuse(refusals, 1, () => '2001:db8:0:8::1')
  expect(await isFlooded()).toEqual({
    '2001:db8:0:7::/64': { rows: ROWS_PER_MINUTE, more: [] },
    '2001:db8:0:8::/64': { rows: 1, more: [] },
  })
  await refusals.close()
  // The number of omitted refusals is written as one row.
  expect(await isFlooded()).toEqual({ '2001:db8:0:7::/64': { rows: 0, more: [20] } })
})

test('limits audit rows per minute across all networks, and then writes one row with their number', async () => {
  const refusals = new RefusalAudit(portals[0].app.db, noFault)
  await refuse(refusals, STRANGER_ROWS_PER_MINUTE + 500, (i) => `10.${Math.floor(i / 200)}.${i % 200}.1`)
  await refusals.close()
  const { anywhere, ...networks } = await isFlooded()
  expect(Object.values(networks)).toHaveLength(STRANGER_ROWS_PER_MINUTE)
  expect(anywhere).toEqual({ rows: 0, more: [500] })
})

test('audits whose password strangers guess, although other strangers have used up their rows', async () => {
  const { db, owner } = { db: portals[0].app.db, owner: portals[0].owner }
  const refusals = new RefusalAudit(db, noFault)
  await refuse(refusals, STRANGER_ROWS_PER_MINUTE + 1, (i) => `10.${Math.floor(i / 200)}.${i % 200}.1`)
  await isFlooded()
  const organisation = await addOrganisation(owner, 'Guessed')
  const email = 'guessed@guessed.test'
  await owner.insertInto('portal_user').values({ email, role: 'admin', organisation_id: organisation }).execute()
  await refusals.write('anyone', new Problem('signedOut', 'The password is wrong.'), {
    name: 'flood',
    requestId: 'x',
    actor: null,
    address: '10.9.9.9',
    request: { body: { email, password: 'x' } },
  })
  const rows = await db.selectFrom('audit').select('organisation_id').where('call', '=', 'flood').execute()
  expect(rows).toEqual([{ organisation_id: organisation }])
  await refusals.close()
  await isFlooded()
})

test('limits audit rows per minute and organisation, without effect on other organisations, and counts refused reads', async () => {
  const { db } = portals[0].app
  const refusals = new RefusalAudit(db, noFault)
  const [flooding, quiet] = [
    await addOrganisation(portals[0].owner, 'Flooding'),
    await addOrganisation(portals[0].owner, 'Quiet'),
  ]
  const actorOf = (organisation: OrganisationId, name: string): Actor => ({
    id: randomUUID() as UserId,
    email: `${name}@${organisation}.test`,
    role: 'user',
    organisation: { id: organisation, name, timeZone: 'UTC', logo: null },
  })
  const write = (actor: Actor, isRead: boolean) =>
    refusals.write(['admin'], new Problem('forbidden', 'It is not yours.'), {
      name: 'flood',
      requestId: 'x',
      actor,
      address: '10.0.0.1',
      request: {},
      isRead,
    })
  const rowsOf = async () => {
    const rows = await db
      .selectFrom('audit')
      .select(['organisation_id', sql<number | null>`(detail ->> 'more')::int`.as('more')])
      .where('call', '=', 'flood')
      .execute()
    return rows.flatMap(({ organisation_id: organisation, more }) =>
      organisation === quiet ? [['quiet', more]] : organisation === flooding ? [['flooding', more]] : [],
    )
  }
  const five = [1, 2, 3, 4, 5].map((n) => actorOf(flooding, `person${n}`))
  await Promise.all(five.flatMap((actor) => Array.from({ length: ROWS_PER_MINUTE }, () => write(actor, false))))
  const reader = actorOf(quiet, 'reader')
  await Promise.all([write(reader, false), write(reader, true), write(reader, true)])
  const rows = await rowsOf()
  expect(rows.filter(([name]) => name === 'flooding')).toHaveLength(ORGANISATION_ROWS_PER_MINUTE)
  expect(rows.filter(([name]) => name === 'quiet')).toEqual([['quiet', null]])
  await refusals.close()
  const counted = (await rowsOf()).filter(([, more]) => more !== null)
  expect(counted.filter(([name]) => name === 'quiet')).toEqual([['quiet', 2]])
  const more = counted.filter(([name]) => name === 'flooding').map(([, count]) => Number(count))
  expect(more.reduce((sum, count) => sum + count, 0)).toBe(5 * ROWS_PER_MINUTE - ORGANISATION_ROWS_PER_MINUTE)
  await isFlooded()
})

test('writes concurrent refusals in batches', async () => {
  const refusals = new RefusalAudit(portals[0].app.db, noFault)
  const { rows: before } = await sql<{ writes: number }>`select pg_current_xact_id()::text::int as writes`.execute(
    portals[0].owner,
  )
  await refuse(refusals, 150, () => '10.0.0.1')
  const { rows: after } = await sql<{ writes: number }>`select pg_current_xact_id()::text::int as writes`.execute(
    portals[0].owner,
  )
  expect(after[0]!.writes - before[0]!.writes).toBeLessThan(50)
  await isFlooded()
})

test('rejects a guess over the limit without waiting in the hash queue', async () => {
  for (let i = 0; i < 10; i += 1) await login(email, 'wrong')
  let answered = 0
  const others = Array.from({ length: 40 }, async (_, i) => {
    await login(`stranger${i}@portal.test`, 'wrong', { address: `10.8.${i}.1` })
    answered += 1
  })
  // This request has the same network address as the last request above.
  expect((await login(email, 'wrong', { address: '10.8.39.1' })).status).toBe(429)
  expect(answered).toBeLessThan(20)
  await Promise.all(others)
})

test('rejects requests of a blocked address before reading the body', async () => {
  const headers = { 'x-forwarded-for': '10.5.5.5' }
  const send = (body: string, overrides: Record<string, string> = {}) =>
    portals[0].request('POST', '/user/login', { body, headers: { ...headers, ...overrides } })
  const statuses = await Promise.all(Array.from({ length: SIGN_INS }, async () => (await send('{')).status))
  expect(new Set(statuses)).toEqual(new Set([400]))
  expect((await send('{')).status).toBe(429)
  // A browser cookie exempts a request only if it was issued for the e-mail in the body, so the body of such a request
  // is read first. An invalid cookie exempts nothing.
  const cookie = `${BROWSER_COOKIE}=none`
  expect((await send('{', { cookie })).status).toBe(400)
  expect((await send(JSON.stringify({ email, password: PASSWORD }), { cookie })).status).toBe(429)
})

test('limits sign-ins from a known browser to 60 per minute', async () => {
  // The hash is cheap, because seventy regular ones would take too long on a busy machine.
  const password_hash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1 })
  await portals[0].app.db.updateTable('portal_user').set({ password_hash }).where('email', '=', email).execute()
  const cookie = await browserOf(email)
  const statuses = await Promise.all(
    Array.from(
      { length: 70 },
      async (_, i) => (await login(email, PASSWORD, { cookie, address: `10.6.0.${i}` })).status,
    ),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
})

test('forgets known browsers when the password changes', async () => {
  const cookie = await browserOf(email)
  await portals[0].app.db
    .updateTable('portal_user')
    .set({ password_hash: await hashPassword('another good long password') })
    .where('email', '=', email)
    .execute()
  for (let i = 0; i < 10; i += 1) expect((await login(email, PASSWORD, { cookie })).status).toBe(401)
  // The old cookie is no longer recognised, so its guesses counted as guesses of an unknown browser.
  expect((await login(email, 'another good long password')).status).toBe(429)
})

test('uses a forwarded address only from a trusted proxy', async () => {
  const portal = await startPortalOn(database.url, { SECRET_KEYS, TRUSTED_PROXIES: '192.0.2.0/24' })
  expect((await login(email, 'wrong', { address: '198.51.100.1', portal })).status).toBe(401)
  await portal.close()
  const { address } = await portals[0].app.db
    .selectFrom('audit')
    .select('address')
    .where('actor_email', '=', email)
    .executeTakeFirstOrThrow()
  expect(address).toBe('127.0.0.1')
})
