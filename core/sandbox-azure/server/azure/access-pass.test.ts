import { expect, test } from 'vitest'
import { sharedLabEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedLabEnvironment()
await env.worker()
const asha = await env.labUser('asha')
await env.settled()

const EMAIL = 'asha@labs.test'
const issue = () => env.superadmin('POST', '/sandbox/user/access-pass', { email: EMAIL })
const showPass = () => env.superadmin('POST', '/sandbox/user/access-pass/show', { email: EMAIL })
const listed = async () => (await env.superadmin('GET', '/sandbox/user')).body.users[0]
const rowOf = () =>
  env.db
    .selectFrom('azure_user')
    .select(['access_pass_wanted_at', 'access_pass', 'access_pass_ends_at'])
    .where('id', '=', asha.id)
    .executeTakeFirstOrThrow()
const NO_PASS = { access_pass_wanted_at: null, access_pass: null, access_pass_ends_at: null }

/** Signs in on the page that replaces the Azure portal. */
async function signIn(password: string) {
  const body = new URLSearchParams({ user: EMAIL, password })
  const reply = await fetch(`${env.emulator.url}/portal`, { method: 'POST', body, redirect: 'manual' })
  return { status: reply.status, text: await reply.text() }
}

test('a pass is stored encrypted, shown once, audited, and opens one session without a second factor', async () => {
  expect(await listed()).toMatchObject({ accessPass: 'None' })
  expect((await showPass()).status).toBe(409)
  expect((await issue()).status).toBe(200)
  await env.settled()
  expect(await listed()).toMatchObject({ accessPass: 'Ready', status: 'Ready' })
  const sealed = (await rowOf()).access_pass!

  const replies = await Promise.all([showPass(), showPass()])
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const shown = replies.find(({ status }) => status === 200)!.body
  expect(shown).toMatchObject({ username: EMAIL, accessPass: expect.stringMatching(/^\S{8}$/) })
  expect(sealed.toString('latin1')).not.toContain(shown.accessPass)
  expect(await rowOf()).toEqual(NO_PASS)

  expect((await signIn(shown.accessPass)).status).toBe(303)
  expect((await signIn(shown.accessPass)).status).toBe(403)
  const calls = (await env.db.selectFrom('audit').select('call').execute()).map(({ call }) => call)
  expect(calls).toContain('sandboxUser.issueAccessPass')
  expect(calls).toContain('sandboxUser.showAccessPass')
  const audit = JSON.stringify(await env.db.selectFrom('audit').selectAll().execute())
  expect(audit).not.toContain(shown.accessPass)
})

test('the password alone is not enough for the first sign-in at Azure', async () => {
  const { password } = (await asha.call('POST', '/sandbox/azure/signin', {})).body
  expect((await signIn(password)).text).toContain('Set up the authenticator')
})

test('a second request replaces the pass, and an expired pass is deleted', async () => {
  await issue()
  await env.settled()
  const first = (await showPass()).body.accessPass
  await issue()
  await env.settled()
  expect((await signIn(first)).status).toBe(403)
  await env.step(3_600)
  const confirmed = await env.signIn('superadmin', 'later@portal.test', null)
  expect((await confirmed('POST', '/sandbox/user/access-pass/show', { email: EMAIL })).status).toBe(409)
  await env.advance(600, 600)
  expect(await rowOf()).toEqual(NO_PASS)
})

test('a missing permission is reported with the user and not retried', async () => {
  await env.control('POST', '/_tenant', { permissions: ['User.ReadWrite.All'] })
  const confirmed = await env.signIn('superadmin', 'last@portal.test', null)
  expect((await confirmed('POST', '/sandbox/user/access-pass', { email: EMAIL })).status).toBe(200)
  await env.settled()
  expect(await listed()).toMatchObject({
    accessPass: 'None',
    statusReason: expect.stringMatching(/^No Temporary Access Pass was issued\. .*does not allow the portal/),
  })
  expect(await rowOf()).toEqual(NO_PASS)
})
