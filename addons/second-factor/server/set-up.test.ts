import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { setRoleOf } from '@trainyard/platform/test/role.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { PASSWORD, secondFactors } from '../test/second-factor.ts'

let portal: TestPortal
let at: Awaited<ReturnType<typeof secondFactors>>

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'), { SECOND_FACTOR: 'required' })
  at = await secondFactors(portal)
})
afterAll(() => portal.close())

const DAY = 24 * 3600
let organisations = 0
const organisation = async (rule: 'optional' | 'required' | null): Promise<OrganisationId> => {
  const { id } = await portal.owner
    .insertInto('organisation')
    .values({ name: `School ${(organisations += 1)}`, logo: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setRule(id, rule)
  return id
}
const setRule = async (id: OrganisationId, rule: 'optional' | 'required' | null): Promise<void> => {
  await portal.owner
    .updateTable('organisation')
    .set({ second_factor: rule, second_factor_since: rule === 'required' ? sql<Date>`portal_now()` : null })
    .where('id', '=', id)
    .execute()
}
const notices = async (): Promise<string[]> => {
  const { rows } = await sql<{ data: { change: string } }>`
    select data from pgboss.job where name = 'secondFactor.notice' order by created_on`.execute(portal.owner)
  return rows.map(({ data }) => data.change)
}
const me = async (uid: string): Promise<string | null> =>
  (await at.sendOk('GET', '/user/me', undefined, uid)).secondFactorDue?.at ?? null

test('states when a second factor is due, and then lets an admin only set up a factor', async () => {
  const email = await at.person('superadmin')
  const before = await portal.sessionOf(email)
  const due = new Date((await me(before))!).getTime()
  expect((await at.send('GET', '/admin/users', undefined, before)).status).toBe(200)
  await at.later(7 * DAY - 60)
  const uid = await portal.sessionOf(email)
  expect((await at.send('GET', '/admin/users', undefined, uid)).status).toBe(200)
  await at.later(120)
  expect(new Date((await me(uid))!).getTime()).toBe(due)
  for (const [method, path] of [
    ['GET', '/admin/users'],
    ['GET', '/admin/ledger'],
    ['POST', '/admin/organization'],
  ] as const) {
    const refused = await at.send(method, path, undefined, uid)
    expect([refused.status, refused.body.code]).toEqual([403, 'secondFactorDue'])
    expect(refused.body.message).toMatch(/Account Security/)
  }
  expect((await at.send('GET', '/user/sessions', undefined, uid)).status).toBe(200)
  await at.addApp(uid)
  expect((await at.send('GET', '/admin/users', undefined, uid)).status).toBe(200)
  expect(await me(uid)).toBeNull()
})

test.each([
  ['user', null, false],
  ['user', 'required', false],
  ['admin', null, true],
  ['admin', 'required', true],
  ['admin', 'optional', false],
  ['superadmin', 'optional', true],
  ['sandboxuser', 'required', false],
] as const)(
  'for role %s in an organisation with rule %s, a second factor is required: %s',
  async (role, rule, asked) => {
    const uid = await portal.sessionOf(await at.person(role, await organisation(rule)))
    expect((await me(uid)) !== null).toBe(asked)
    expect((await at.sendOk('GET', '/account/second-factor', undefined, uid)).required).toBe(asked)
  },
)

test('lets an organisation require a second factor where the installation does not', async () => {
  const lenient = await startTestPortal(inject('testCluster'))
  try {
    const overview = await secondFactors(lenient)
    const { id } = await lenient.owner
      .insertInto('organisation')
      .values({ name: 'Strict', logo: null, second_factor: 'required', second_factor_since: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow()
    const dueOf = async (email: string) =>
      (await overview.sendOk('GET', '/user/me', undefined, await lenient.sessionOf(email))).secondFactorDue
    expect(await dueOf(await overview.person('admin', id))).not.toBeNull()
    expect(await dueOf(await overview.person('superadmin'))).toBeNull()
  } finally {
    await lenient.close()
  }
})

test('restarts the grace period when the role changes or the organisation starts to require a factor', async () => {
  const school = await organisation('optional')
  const email = await at.person('user', school)
  await at.later(30 * DAY)
  await setRoleOf(portal.app.db, email, 'admin')
  await at.later(10 * DAY)
  await setRule(school, 'required')
  const uid = await portal.sessionOf(email)
  expect((await at.send('GET', '/azure/trainingName', undefined, uid)).status).not.toBe(403)
  await setRule(school, null)
  expect((await at.send('GET', '/azure/trainingName', undefined, uid)).body.code).toBe('secondFactorDue')
  await setRoleOf(portal.app.db, email, 'user')
  await setRoleOf(portal.app.db, email, 'admin')
  expect((await at.send('GET', '/azure/trainingName', undefined, uid)).status).not.toBe(403)
})

test('adds an app with its code, ends other sessions and mails a notice', async () => {
  const email = await at.person('superadmin')
  const [uid, other] = [await portal.sessionOf(email), await portal.sessionOf(email)]
  const { setup, secret, uri } = await at.sendOk('POST', '/account/second-factor/app', undefined, uid)
  expect(uri).toMatch(new RegExp(`^otpauth://totp/Trainyard:${encodeURIComponent(email)}\\?.*secret=${secret}`))
  const wrongCode = await at.send('POST', '/account/second-factor/app/confirm', { setup, code: '000000' }, uid)
  expect([wrongCode.status, wrongCode.body.message]).toEqual([400, expect.stringMatching(/^code /)])
  const before = await notices()
  const code = `\u00a0${at.codeOf(secret).replace(/(?=...$)/, '\u2011')}`
  const added = await at.sendOk('POST', '/account/second-factor/app/confirm', { setup, code }, uid)
  expect(added.recoveryCodes).toHaveLength(10)
  expect((await at.send('GET', '/user/me', undefined, other)).status).toBe(401)
  expect((await at.send('GET', '/user/me', undefined, uid)).status).toBe(200)
  expect((await notices()).slice(before.length)).toEqual(['app added'])
  expect((await at.send('POST', '/account/second-factor/app', undefined, uid)).status).toBe(409)
  expect((await at.send('POST', '/account/second-factor/app/confirm', { setup, code }, uid)).status).toBe(409)
  const stored = await portal.owner.selectFrom('authenticator_app').select('secret').execute()
  expect(stored.some((row) => row.secret.includes(secret))).toBe(false)
})

test("rejects another user's setup and an expired setup", async () => {
  const [ownSetup, otherSetup] = [
    await portal.sessionOf(await at.person('superadmin')),
    await portal.sessionOf(await at.person('superadmin')),
  ]
  const { setup, secret } = await at.sendOk('POST', '/account/second-factor/app', undefined, ownSetup)
  const add = (uid: string) =>
    at.send('POST', '/account/second-factor/app/confirm', { setup, code: at.codeOf(secret) }, uid)
  const foreign = await add(otherSetup)
  expect([foreign.status, foreign.body.message]).toEqual([400, expect.stringMatching(/^setup /)])
  await at.later(31 * 60)
  await at.sendOk('POST', '/account/confirm', { password: PASSWORD }, ownSetup)
  expect((await add(ownSetup)).status).toBe(400)
})

test('requires a confirmation of the last five minutes before sign-in settings change', async () => {
  const email = await at.person('superadmin')
  const uid = await portal.sessionOf(email)
  const { secret } = await at.addApp(uid)
  await at.later(6 * 60)
  for (const [method, path] of [
    ['POST', '/account/second-factor/app'],
    ['DELETE', '/account/second-factor/app'],
    ['POST', '/account/second-factor/recovery-codes'],
    ['POST', '/account/passkeys/challenge'],
  ] as const) {
    const refused = await at.send(method, path, undefined, uid)
    expect([refused.status, refused.body.code]).toEqual([403, 'confirmFirst'])
  }
  expect((await at.send('POST', '/account/confirm', { code: '000000' }, uid)).status).toBe(403)
  expect((await at.send('POST', '/account/second-factor/recovery-codes', undefined, uid)).status).toBe(403)
  await at.sendOk('POST', '/account/confirm', { code: await at.nextCode(secret) }, uid)
  expect((await at.sendOk('POST', '/account/second-factor/recovery-codes', undefined, uid)).recoveryCodes).toHaveLength(
    10,
  )
})

test('accepts a passkey as confirmation instead of the password', async () => {
  const email = await at.person('superadmin')
  const uid = await portal.sessionOf(email)
  const confirmationMethods = async () => (await at.sendOk('GET', '/account/second-factor', undefined, uid)).confirmBy
  expect(await confirmationMethods()).toEqual(['password'])
  const device = await at.addPasskey(uid)
  expect(await confirmationMethods()).toEqual(['code', 'passkey'])
  await portal.owner.deleteFrom('recovery_code').execute()
  expect(await confirmationMethods()).toEqual(['passkey'])
  await at.later(6 * 60)
  const { challenge, options } = await at.sendOk('POST', '/account/passkeys/proof', undefined, uid)
  const confirmation = { challenge, assertion: device.get(options) }
  await at.sendOk('POST', '/account/confirm', confirmation, uid)
  expect((await at.send('POST', '/account/confirm', confirmation, uid)).status).toBe(403)
  expect((await at.send('POST', '/account/second-factor/recovery-codes', undefined, uid)).status).toBe(200)
})

test('checks ten of fifty concurrent password guesses per minute in a confirmation', async () => {
  const uid = await portal.sessionOf(await at.person('superadmin'))
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => at.send('POST', '/account/confirm', { password: `guess ${n}` }, uid)),
  )
  expect(replies.filter(({ status }) => status === 403)).toHaveLength(10)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(40)
})

test('invalidates earlier recovery codes when new ones are created', async () => {
  const email = await at.person('superadmin')
  const uid = await portal.sessionOf(email)
  const { recoveryCodes: old } = await at.addApp(uid)
  const { recoveryCodes } = await at.sendOk('POST', '/account/second-factor/recovery-codes', undefined, uid)
  const { body } = await at.login(email)
  expect((await at.second(body.challenge, { code: old[0]! })).status).toBe(401)
  expect((await at.second(body.challenge, { code: recoveryCodes[0] })).status).toBe(200)
})

test('keeps the last factor only if it is required', async () => {
  const uid = await portal.sessionOf(await at.person('superadmin'))
  await at.addApp(uid)
  expect((await at.send('DELETE', '/account/second-factor/app', undefined, uid)).status).toBe(409)
  await at.addPasskey(uid)
  const before = await notices()
  expect((await at.send('DELETE', '/account/second-factor/app', undefined, uid)).status).toBe(200)
  expect((await notices()).slice(before.length)).toEqual(['app removed'])
  expect((await at.sendOk('GET', '/account/second-factor', undefined, uid)).recoveryCodes).toBe(10)

  const email = await at.person('user', await organisation(null))
  const learner = await portal.sessionOf(email)
  await at.addApp(learner)
  expect((await at.send('DELETE', '/account/second-factor/app', undefined, learner)).status).toBe(200)
  expect((await at.sendOk('GET', '/account/second-factor', undefined, learner)).recoveryCodes).toBe(0)
  expect((await at.login(email)).status).toBe(200)
})

test('keeps one of two factors if a factor is required and both are removed concurrently', async () => {
  const uid = await portal.sessionOf(await at.person('superadmin'))
  await at.addApp(uid)
  await at.addPasskey(uid)
  const { passkeys } = await at.sendOk('GET', '/account/second-factor', undefined, uid)
  const replies = await Promise.all([
    at.send('DELETE', '/account/second-factor/app', undefined, uid),
    at.send('DELETE', '/account/passkeys', { _id: passkeys[0]._id }, uid),
  ])
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
})
