import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedPortal } from '#test/shared.ts'
import { secondFactors } from '#test/second-factor.ts'
import { jobQueueIn } from '../../../worker/jobs.ts'
import { resetByOperator } from './reset.ts'

const portal = await sharedPortal()
const at = await secondFactors(portal)

async function lost() {
  const email = await at.person('superadmin')
  const uid = await portal.sessionOf(email)
  await at.addApp(uid)
  await at.addPasskey(uid)
  const [one, two] = [
    await portal.sessionOf(await at.person('superadmin')),
    await portal.sessionOf(await at.person('superadmin')),
  ]
  return { email, uid, one, two }
}
const askFor = (email: string, uid: string) => at.ask('POST', '/admin/users/second-factor', { email }, uid)
const confirm = (email: string, uid: string) => at.ask('POST', '/admin/users/second-factor/confirm', { email }, uid)
const waiting = async (uid: string): Promise<string[]> =>
  (await at.must('GET', '/admin/users/second-factor', undefined, uid)).resets.map(
    ({ email }: { email: string }) => email,
  )

// @covers R11.7
test('two superadmins together remove a user’s second factors, end the sessions and have the user notified', async () => {
  const { email, uid, one, two } = await lost()
  expect((await askFor(email, one)).status).toBe(200)
  expect(await waiting(two)).toContain(email)
  expect((await at.login(email)).status).toBe(401)
  expect((await confirm(email, two)).status).toBe(200)
  expect((await at.ask('GET', '/user/me', undefined, uid)).status).toBe(401)
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

// @covers A75
test('neither the requester nor the affected user can confirm a reset', async () => {
  const { email, uid, one } = await lost()
  expect((await askFor(email, uid)).status).toBe(409)
  expect((await askFor(email, one)).status).toBe(200)
  expect((await confirm(email, one)).status).toBe(409)
  expect((await confirm(email, uid)).status).toBe(409)
  expect((await at.login(email)).status).toBe(401)
})

// @covers A75
test('a second request does not change who requested the reset', async () => {
  const { email, one, two } = await lost()
  await askFor(email, one)
  expect((await askFor(email, two)).status).toBe(409)
  expect((await confirm(email, one)).status).toBe(409)
})

test('a reset can be confirmed once within a day, or cancelled', async () => {
  const { email, one, two } = await lost()
  expect((await confirm(email, two)).status).toBe(404)
  await askFor(email, one)
  await at.later(24 * 3600 + 1)
  expect(await waiting(two)).not.toContain(email)
  expect((await confirm(email, two)).status).toBe(404)
  expect((await askFor(email, two)).status).toBe(200)
  expect((await at.ask('DELETE', '/admin/users/second-factor', { email }, one)).status).toBe(200)
  expect((await confirm(email, one)).status).toBe(404)
  await askFor(email, one)
  const replies = await Promise.all([confirm(email, two), confirm(email, two)])
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
})

test('rejects a reset for users who are unknown or have no second factor', async () => {
  const { one } = await lost()
  expect((await askFor(await at.person('superadmin'), one)).status).toBe(409)
  expect((await askFor('nobody@factor.test', one)).status).toBe(404)
})

// @covers R11.7
test('the operator can reset a single superadmin', async () => {
  const { email, uid } = await lost()
  const jobs = jobQueueIn(portal.app.db)
  try {
    await resetByOperator(portal.app.db, jobs, email.toUpperCase())
    expect((await at.ask('GET', '/user/me', undefined, uid)).status).toBe(401)
    expect((await at.login(email)).status).toBe(200)
    await expect(resetByOperator(portal.app.db, jobs, email)).rejects.toThrow('no second factor')
    await expect(resetByOperator(portal.app.db, jobs, 'nobody@factor.test')).rejects.toThrow('no account')
  } finally {
    await jobs.stop()
  }
})
