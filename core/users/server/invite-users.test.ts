import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { user } from '../contract/user.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { startEnvironment, type TestEnvironment } from '@trainyard/platform/test/environment.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { untilWaitingForLock } from '@trainyard/platform/test/lock-waits.ts'
import { INVITATION_DAYS } from './invitation-link.ts'

const SCHOOL = 'Invited School'
let env: TestEnvironment
let root: Caller
let userCount = 0

beforeAll(async () => {
  env = await startEnvironment()
  await env.organisation(SCHOOL)
  root = await env.signIn('superadmin', 'root@portal.test', null)
  await env.worker()
})
afterAll(() => env.stop())

const newEmail = () => `invited${(userCount += 1)}@school.test`
const userRef = (email: string) => ({ email, organization: SCHOOL })
const invite = (email: string) => root('POST', '/admin/users/invite', { ...userRef(email), userType: 'admin' })
const rowOf = async (email: string) => {
  const { users } = (await root('GET', '/admin/users')).body as ReplyOf<typeof user.list>
  return users.find((each) => each.email === email)
}
/** Waits until a user has been mailed `count` links and returns their tokens. */
async function tokensOf(email: string, count: number): Promise<string[]> {
  const listInvitations = async () => {
    const { mails } = (await (await fetch(`${env.emulator.url}/_truth`)).json()) as {
      mails: { to: string[]; text: string }[]
    }
    return mails.filter(({ to }) => to.includes(email)).map(({ text }) => /#token=(\S+)/.exec(text)![1]!)
  }
  return until('the invitations are mailed', listInvitations, (tokens) => tokens.length === count)
}
const setPassword = (token: string) =>
  env.portal.request('POST', '/user/password', { body: { token, password: 'a good long password' } })

test('e-mails an invitation and lists the user as invited until the invitation is used', async () => {
  const email = newEmail()
  expect((await invite(email)).status).toBe(200)
  expect((await invite(email)).status).toBe(409)
  expect(await rowOf(email)).toMatchObject({ userType: 'admin', invitation: { expired: false } })
  const [token] = await tokensOf(email, 1)
  expect((await setPassword(token!)).status).toBe(200)
  expect((await rowOf(email))!.invitation).toBeNull()
  expect((await root('POST', '/admin/users/invitation', userRef(email))).status).toBe(409)
  expect((await root('DELETE', '/admin/users/invitation', userRef(email))).status).toBe(409)
})

test('resending an invitation invalidates the earlier one, and a revoked invitation is rejected', async () => {
  const email = newEmail()
  await invite(email)
  const [first] = await tokensOf(email, 1)
  expect((await root('POST', '/admin/users/invitation', userRef(email))).status).toBe(200)
  const second = (await tokensOf(email, 2)).find((token) => token !== first)!
  expect((await setPassword(first!)).status).toBe(404)
  expect((await root('DELETE', '/admin/users/invitation', userRef(email))).status).toBe(200)
  expect((await rowOf(email))!.invitation).toBeNull()
  expect((await root('DELETE', '/admin/users/invitation', userRef(email))).status).toBe(409)
  expect((await setPassword(second)).status).toBe(404)
})

test('lists an expired invitation as expired and can resend it', async () => {
  const email = newEmail()
  await invite(email)
  const [first] = await tokensOf(email, 1)
  await env.step(INVITATION_DAYS * 24 * 3_600 + 1)
  expect((await rowOf(email))!.invitation).toMatchObject({ expired: true })
  expect((await setPassword(first!)).status).toBe(404)
  expect((await root('POST', '/admin/users/invitation', userRef(email))).status).toBe(200)
  const second = (await tokensOf(email, 2)).find((token) => token !== first)!
  expect((await rowOf(email))!.invitation).toMatchObject({ expired: false })
  expect((await setPassword(second)).status).toBe(200)
})

test('applies either a revocation or a use that wait for the same user, without a deadlock', async () => {
  const email = newEmail()
  await invite(email)
  const [token] = await tokensOf(email, 1)
  let requests: readonly Promise<{ status: number }>[] = []
  await env.db.transaction().execute(async (tx) => {
    await sql`select from portal_user where email = ${email} for update`.execute(tx)
    const revoked = root('DELETE', '/admin/users/invitation', userRef(email))
    await untilWaitingForLock(env.db, 1)
    requests = [revoked, setPassword(token!)]
    await untilWaitingForLock(env.db, 2)
  })
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  expect([
    [200, 404],
    [409, 200],
  ]).toContainEqual(statuses)
})

test('applies either a revocation or a use that run concurrently', async () => {
  const email = newEmail()
  await invite(email)
  const [token] = await tokensOf(email, 1)
  const [set, revoked] = await Promise.all([
    setPassword(token!),
    root('DELETE', '/admin/users/invitation', userRef(email)),
  ])
  expect([
    [200, 409],
    [404, 200],
  ]).toContainEqual([set.status, revoked.status])
})
