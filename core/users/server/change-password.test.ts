import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { sessionCookie } from '@trainyard/platform/server/http/authenticate.ts'
import { hashPassword } from './passwords.ts'
import { ATTEMPTS_PER_LANE } from './queries.ts'

const PASSWORD = 'a good long password'
const ANOTHER = 'quite another one'
let portal: TestPortal
let userCount = 0

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())

async function person(): Promise<string> {
  const email = `changer${(userCount += 1)}@portal.test`
  await portal.app.db
    .insertInto('portal_user')
    .values({ email, role: 'superadmin', organisation_id: null, password_hash: await hashPassword(PASSWORD) })
    .execute()
  return email
}
const change = (uid: string, password: unknown = PASSWORD, newPassword: unknown = ANOTHER) =>
  portal.request('POST', '/user/password/change', { uid, body: { password, newPassword } })
const logIn = (email: string, password: string) => portal.request('POST', '/user/login', { body: { email, password } })
const isSignedIn = async (uid: string) => (await portal.request('GET', '/user/me', { uid })).status === 200
const messageOf = async (reply: Response) => ((await reply.json()) as { message: string }).message

test('invalidates the old password and all other sessions, and stores neither password in the audit', async () => {
  const email = await person()
  const [ownSession, other] = [await portal.sessionOf(email), await portal.sessionOf(email)]
  expect((await change(ownSession)).status).toBe(200)
  expect([await isSignedIn(ownSession), await isSignedIn(other)]).toEqual([true, false])
  expect([(await logIn(email, PASSWORD)).status, (await logIn(email, ANOTHER)).status]).toEqual([401, 200])
  const rows = await portal.app.db
    .selectFrom('audit')
    .select(['call', 'detail'])
    .where('actor_email', '=', email)
    .execute()
  expect(rows.map(({ call }) => call)).toContain('account.changePassword')
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${PASSWORD}|${ANOTHER}`))
})

test('audits a wrong current password and counts it as a guess for the user', async () => {
  const email = await person()
  const uid = await portal.sessionOf(email)
  for (let i = 0; i < ATTEMPTS_PER_LANE; i += 1) expect((await change(uid, `wrong ${i}`)).status).toBe(403)
  expect((await change(uid)).status).toBe(429)
  expect((await logIn(email, PASSWORD)).status).toBe(429)
  const refused = await portal.app.db
    .selectFrom('audit')
    .select('detail')
    .where('actor_email', '=', email)
    .where('call', '=', 'account.changePassword')
    .where('refused', '=', 'forbidden')
    .execute()
  expect(refused).toHaveLength(ATTEMPTS_PER_LANE)
  expect(JSON.stringify(refused)).not.toContain('wrong')
  expect((await logIn(await person(), PASSWORD)).status).toBe(200)
})

test('applies one of two concurrent changes', async () => {
  const email = await person()
  const [one, two] = [await portal.sessionOf(email), await portal.sessionOf(email)]
  const replies = await Promise.all([
    change(one, PASSWORD, 'the first of the two'),
    change(two, PASSWORD, 'the second one'),
  ])
  const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses[0]).toBe(200)
  expect([401, 409]).toContain(statuses[1])
  expect([await isSignedIn(one), await isSignedIn(two)].filter(Boolean)).toHaveLength(1)
})

test.each([
  ['a short one', PASSWORD, 'short', /newPassword/],
  ['a common one', PASSWORD, 'password1', /most common/],
  ['the current one', PASSWORD, PASSWORD, /newPassword must differ from the current password/],
  ['none', PASSWORD, null, /newPassword/],
  ['a number', PASSWORD, 12_345_678, /newPassword/],
  ['an endless one', PASSWORD, 'x'.repeat(201), /newPassword/],
  ['one without the current', '', ANOTHER, /password/],
])('rejects %s as the new password', async (_name, password, newPassword, sentence) => {
  const uid = await portal.sessionOf(await person())
  const reply = await change(uid, password, newPassword)
  expect(reply.status).toBe(400)
  expect(await messageOf(reply)).toMatch(sentence)
})

test('rejects a cross-site password change with the user’s cookie', async () => {
  const email = await person()
  const cookie = `${sessionCookie(false)}=${await portal.sessionOf(email)}`
  const body = { password: PASSWORD, newPassword: ANOTHER }
  const send = (headers: Record<string, string>) =>
    portal.request('POST', '/user/password/change', { body, headers: { cookie, ...headers } })
  expect((await send({ origin: 'https://evil.test' })).status).toBe(403)
  expect((await send({ 'sec-fetch-site': 'same-site' })).status).toBe(403)
  expect((await logIn(email, PASSWORD)).status).toBe(200)
})
