/** @module-tag full */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { PASSWORD, secondFactors } from '../test/second-factor.ts'
import { jobQueueIn } from '@trainyard/platform/server/run/jobs/queue.ts'
import { resetByOperator } from './reset.ts'

const portal = await sharedPortal()
const at = await secondFactors(portal)

async function userWithLostFactor() {
  const email = await at.person('superadmin')
  const uid = await portal.sessionOf(email)
  await at.addApp(uid)
  await at.addPasskey(uid)
  return { email, uid, one: (await superadmin()).uid, two: (await superadmin()).uid }
}
/** Adds a superadmin whose second factor and role are older than the time that a reset waits. */
async function superadmin() {
  const email = await at.person('superadmin')
  await age(email)
  const uid = await portal.sessionOf(email)
  await at.addPasskey(uid)
  return { email, uid }
}
const age = (email: string, hours = 25) =>
  portal.owner
    .updateTable('portal_user')
    .set({ role_since: sql<Date>`portal_now() - make_interval(hours => ${hours})` })
    .where('email', '=', email)
    .execute()
const school = 'Reset School'
await portal.owner.insertInto('organisation').values({ name: school, logo: null }).execute()
let puppets = 0
/** Lets a superadmin create another one, who then has a second factor and is old enough. */
async function createPuppet(by: string, userType = 'superadmin') {
  const email = `puppet${(puppets += 1)}@factor.test`
  await at.sendOk('POST', '/admin/users', { email, password: PASSWORD, organization: school, userType }, by)
  return { email, uid: await expireResetDelay(email) }
}
async function expireResetDelay(email: string) {
  await age(email)
  const uid = await portal.sessionOf(email)
  await at.addPasskey(uid, `Key of ${uid.slice(0, 8)}`)
  return uid
}
const requestReset = (email: string, uid: string) => at.send('POST', '/admin/users/second-factor', { email }, uid)
const confirm = (email: string, uid: string) => at.send('POST', '/admin/users/second-factor/confirm', { email }, uid)
const waiting = async (uid: string): Promise<string[]> =>
  (await at.sendOk('GET', '/admin/users/second-factor', undefined, uid)).resets.map(
    ({ email }: { email: string }) => email,
  )

test("lets two superadmins remove a user's second factors, ends the sessions and notifies the user", async () => {
  const { email, uid, one, two } = await userWithLostFactor()
  expect((await requestReset(email, one)).status).toBe(200)
  expect(await waiting(two)).toContain(email)
  expect((await at.login(email)).status).toBe(401)
  expect((await confirm(email, two)).status).toBe(200)
  expect((await at.send('GET', '/user/me', undefined, uid)).status).toBe(401)
  expect((await at.login(email)).status).toBe(200)
  expect(await waiting(two)).not.toContain(email)
  const { rows } = await sql<{ data: { change: string } }>`
    select data from pgboss.job where name = 'secondFactor.notice' order by created_on desc limit 1`.execute(
    portal.owner,
  )
  expect(rows[0]!.data.change).toBe('reset')
  const audited = await portal.owner
    .selectFrom('audit')
    .select(['call', 'actor_email'])
    .where(sql<boolean>`detail -> 'body' ->> 'email' = ${email}`)
    .where('refused', 'is', null)
    .orderBy('id')
    .execute()
  expect(audited.map(({ call }) => call)).toEqual(
    expect.arrayContaining(['secondFactor.askReset', 'secondFactor.confirmReset']),
  )
  expect(new Set(audited.map(({ actor_email }) => actor_email)).size).toBeGreaterThan(1)
})

test('neither the requester nor the affected user can confirm a reset', async () => {
  const { email, uid, one } = await userWithLostFactor()
  expect((await requestReset(email, uid)).status).toBe(409)
  expect((await requestReset(email, one)).status).toBe(200)
  expect((await confirm(email, one)).status).toBe(409)
  expect((await confirm(email, uid)).status).toBe(409)
  expect((await at.login(email)).status).toBe(401)
})

test('a second request does not change who requested the reset', async () => {
  const { email, one, two } = await userWithLostFactor()
  await requestReset(email, one)
  expect((await requestReset(email, two)).status).toBe(409)
  expect((await confirm(email, one)).status).toBe(409)
})

test('refuses confirmation by a superadmin whom the requester created, promoted, or was created by', async () => {
  const { email, one } = await userWithLostFactor()
  const impersonated = await createPuppet(one)
  await requestReset(email, one)
  const refused = await confirm(email, impersonated.uid)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('created or promoted')])
  await at.sendOk('DELETE', '/admin/users/second-factor', { email }, one)
  await requestReset(email, impersonated.uid)
  expect((await confirm(email, one)).status).toBe(409)

  const promoted = await createPuppet((await superadmin()).uid, 'admin')
  await at.sendOk('PATCH', '/admin/users', { email: promoted.email, userType: 'superadmin' }, one)
  const uid = await expireResetDelay(promoted.email)
  await at.sendOk('DELETE', '/admin/users/second-factor', { email }, one)
  await requestReset(email, one)
  expect((await confirm(email, uid)).status).toBe(409)
  expect((await at.login(email)).status).toBe(401)
})

test('follows a chain of users between requester and confirmer, even if one was deleted', async () => {
  const { email, one, two } = await userWithLostFactor()
  const first = await createPuppet(one)
  const second = await createPuppet(first.uid)
  await at.sendOk('DELETE', '/admin/users', { email: first.email, organization: school }, two)
  await requestReset(email, one)
  expect((await confirm(email, second.uid)).status).toBe(409)
  expect((await confirm(email, two)).status).toBe(200)
})

test('a reset ends with the role of the superadmin who requested it', async () => {
  const { email, two } = await userWithLostFactor()
  const former = await createPuppet(two)
  expect((await requestReset(email, former.uid)).status).toBe(200)
  await at.sendOk('PATCH', '/admin/users', { email: former.email, userType: 'admin' }, two)
  const confirmer = await superadmin()
  expect(await waiting(confirmer.uid)).not.toContain(email)
  expect((await confirm(email, confirmer.uid)).status).toBe(404)
  expect((await requestReset(email, confirmer.uid)).status).toBe(200)
})

test('refuses confirmation between two superadmins whom the same superadmin created', async () => {
  const { email, one, two } = await userWithLostFactor()
  const first = await createPuppet(one)
  const second = await createPuppet(one)
  await requestReset(email, first.uid)
  expect((await confirm(email, second.uid)).status).toBe(409)
  expect((await confirm(email, two)).status).toBe(200)
})

test('a superadmin whose second factor the requester helped to reset cannot confirm', async () => {
  const { email, one, two } = await userWithLostFactor()
  const target = await superadmin()
  await requestReset(target.email, two)
  expect((await confirm(target.email, one)).status).toBe(200)
  const uid = await portal.sessionOf(target.email)
  await at.addPasskey(uid)
  for (const requester of [one, two]) {
    await requestReset(email, requester)
    expect((await confirm(email, uid)).status).toBe(409)
    await at.sendOk('DELETE', '/admin/users/second-factor', { email }, requester)
  }
  await requestReset(email, (await superadmin()).uid)
  expect((await confirm(email, uid)).status).toBe(200)
})

test('a superadmin without a second factor, or in that role for less than a day, cannot confirm', async () => {
  const { email, one } = await userWithLostFactor()
  await requestReset(email, one)
  const bare = await at.person('superadmin')
  await age(bare)
  const refused = await confirm(email, await portal.sessionOf(bare))
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('second factor')])
  const recent = await superadmin()
  await age(recent.email, 23)
  const tooEarly = await confirm(email, recent.uid)
  expect([tooEarly.status, tooEarly.body.message]).toEqual([409, expect.stringContaining('24 hours')])
  await age(recent.email, 24)
  expect((await confirm(email, recent.uid)).status).toBe(200)
})

test('a reset can be confirmed once within a day, or cancelled', async () => {
  const { email, one, two } = await userWithLostFactor()
  expect((await confirm(email, two)).status).toBe(404)
  await requestReset(email, one)
  await at.later(24 * 3600 + 1)
  await portal.owner
    .updateTable('session')
    .set({ confirmed_at: sql<Date>`portal_now()` })
    .execute()
  expect(await waiting(two)).not.toContain(email)
  expect((await confirm(email, two)).status).toBe(404)
  expect((await requestReset(email, two)).status).toBe(200)
  expect((await at.send('DELETE', '/admin/users/second-factor', { email }, one)).status).toBe(200)
  expect((await confirm(email, one)).status).toBe(404)
  await requestReset(email, one)
  const replies = await Promise.all([confirm(email, two), confirm(email, two)])
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
})

test('rejects a reset for users who are unknown or have no second factor', async () => {
  const { one } = await userWithLostFactor()
  expect((await requestReset(await at.person('superadmin'), one)).status).toBe(409)
  expect((await requestReset('nobody@factor.test', one)).status).toBe(404)
})

test('the operator can reset a single superadmin', async () => {
  const { email, uid } = await userWithLostFactor()
  const jobs = jobQueueIn(portal.app.db)
  try {
    await resetByOperator(portal.app.db, jobs, email.toUpperCase())
    expect((await at.send('GET', '/user/me', undefined, uid)).status).toBe(401)
    expect((await at.login(email)).status).toBe(200)
    await expect(resetByOperator(portal.app.db, jobs, email)).rejects.toThrow('no second factor')
    await expect(resetByOperator(portal.app.db, jobs, 'nobody@factor.test')).rejects.toThrow('no account')
  } finally {
    await jobs.stop()
  }
})
