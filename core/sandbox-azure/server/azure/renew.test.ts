/** @module-tag full */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { type LabUser, type LabEnvironment, startLabEnvironment } from '@trainyard/platform/test/lab-environment.ts'

let env: LabEnvironment
let asha: LabUser

beforeAll(async () => {
  env = await startLabEnvironment()
  await env.worker()
  asha = await env.labUser('asha')
  await env.settled()
})
afterAll(() => env.stop())
afterEach(async () => {
  const broken = await brokenInvariants(env.db, { quiet: false })
  if (broken.length + env.bugs.length > 0) throw new Error(JSON.stringify({ broken, bugs: env.bugs.map(String) }))
})

const DAY = 24 * 60 * 60
const users = async (email: string) =>
  (await env.labTruth()).users.filter(({ userPrincipalName }) => userPrincipalName === email)
const renew = async (body: object) => {
  const reply = await env.superadmin('POST', '/sandbox/user/renew', body)
  return { status: reply.status, message: reply.body.message as string }
}

test('a user renewed in time can sign in after the original end, but not after the new end', async () => {
  const { end_at } = await env.userRow(asha.email)
  expect(await renew({ email: 'ASHA@labs.test', duration: 2 })).toMatchObject({
    status: 200,
    message: expect.stringMatching(/^User asha@labs\.test now ends on \d+ \w+ \d{4}\.$/),
  })
  expect(await env.userRow(asha.email)).toMatchObject({ days: 7, end_at: new Date(end_at.getTime() + 2 * DAY * 1000) })
  await env.step((end_at.getTime() - env.now().getTime()) / 1000 + 60)
  await env.settled()
  expect(await users(asha.email)).toMatchObject([{ canSignIn: true }])
  expect((await asha.call('GET', '/sandbox/azure')).status).toBe(200)
})

test('more credits unfreeze the sandboxes of this user only', async () => {
  const bina = await env.labUser('bina')
  for (const user of [asha, bina]) expect((await user.create('one')).status).toBe(200)
  await env.settled()
  for (const { email, group } of [asha, bina])
    expect(await env.putMachine(email, group('one'), { name: 'first', size: 'Standard_D2s_v3' })).toBe(201)
  await env.advance(10)
  await sql`update azure_user set total_paise = consumed_paise + 60`.execute(env.db)
  await env.advance(360, 30)
  const status = async () => (await asha.call('GET', '/sandbox/azure')).body.sandbox[0].status
  expect(await status()).toBe('Frozen')
  const binaTotal = (await env.userRow(bina.email)).total_paise
  const { total_paise } = await env.userRow(asha.email)
  expect(await renew({ email: asha.email, credits: 250.5 })).toMatchObject({
    status: 200,
    message: expect.stringContaining('₹250.50 of credits were added.'),
  })
  await env.settled()
  expect((await env.userRow(asha.email)).total_paise).toBe(total_paise + 25_050)
  expect(await status()).toBe('Ready')
  expect((await env.userRow(bina.email)).total_paise).toBe(binaTotal)
  expect((await env.sandboxRow(bina.group('one'))).desired).toBe('frozen')
  expect((await users(asha.email))[0]).toMatchObject({ roles: [{ group: asha.group('one'), role: 'Contributor' }] })
})

test('an ended user is created again: account, invitation and sign-in at Azure', async () => {
  const before = await env.userRow(asha.email)
  expect((await env.superadmin('DELETE', '/sandbox/user', { email: asha.email })).status).toBe(200)
  expect(await renew({ email: asha.email, duration: 3 })).toEqual({
    status: 409,
    message: 'The user asha@labs.test is still being deleted. Please try again in a few minutes.',
  })
  await env.advance(600, 60)
  expect(await users(asha.email)).not.toContainEqual(expect.objectContaining({ canSignIn: true }))
  const ended = (await env.superadmin('GET', '/sandbox/user/ended')).body.users
  expect(ended).toMatchObject([{ email: 'asha@labs.test', personalEmail: 'asha@home.test' }])
  expect(await renew({ email: asha.email, credits: 5 })).toMatchObject({
    status: 400,
    message: 'duration is required for a new account.',
  })
  const both = await Promise.all([1, 2].map(() => renew({ email: asha.email, duration: 3 })))
  expect(both.map(({ status }) => status)).toContain(200)
  await env.settled()
  const { id, days, personal_email } = await env.userRow(asha.email)
  expect(id).not.toBe(before.id)
  expect([days, [3, 6].includes(days), personal_email]).toEqual([days, true, 'asha@home.test'])
  expect(await users(asha.email)).toContainEqual(expect.objectContaining({ canSignIn: true }))
  const ask = await env.signIn('sandboxuser', asha.email, null)
  const signIn = await ask('POST', '/sandbox/azure/signin', {})
  expect(signIn.body).toMatchObject({ username: asha.email, password: expect.stringMatching(/^.{18}$/) })
  expect((await env.superadmin('GET', '/sandbox/user/ended')).body.users).toEqual([])
})

test.each([
  [{ duration: 0 }, /^duration must be a whole number of days/],
  [{ duration: 1.5 }, /^duration must be a whole number/],
  [{ duration: '3' }, /^duration must be/],
  [{ duration: 366 }, /^duration must leave the end within 366 days/],
  [{ credits: 0 }, /^credits must be more than 0/],
  [{ credits: 100_001 }, /^credits must be more than 0 and at most/],
  [{ credits: 1.001 }, /^credits must be rupees/],
  [{}, /^The request must name days or credits/],
])('%j is rejected with a message that names the field', async (body, sentence) => {
  expect(await renew({ email: asha.email, ...body })).toEqual({ status: 400, message: expect.stringMatching(sentence) })
})

test('lab users cannot renew, and an unknown user is not found', async () => {
  expect(
    (
      await env
        .signIn('sandboxuser', asha.email, null)
        .then((ask) => ask('POST', '/sandbox/user/renew', { email: asha.email, duration: 1 }))
    ).status,
  ).toBe(403)
  expect(await renew({ email: 'nobody@labs.test', duration: 1 })).toMatchObject({ status: 404 })
})
