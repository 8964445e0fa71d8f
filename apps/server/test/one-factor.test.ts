import { expect, test } from 'vitest'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { confirmLink, setUpProvider, signInAs } from '@trainyard/sso/test/identity-providers.ts'
import { PASSWORD, secondFactors } from '@trainyard/second-factor/test/second-factor.ts'
import { sharedEmulator, sharedPortal } from '@trainyard/platform/test/shared.ts'

/** A sign-in with a single factor must not be enough to change the second factors of a user. */

const emulator = await sharedEmulator()
const portal = await sharedPortal(emulator.settings)
const at = await secondFactors(portal)
const school: OrganisationId = (
  await portal.owner
    .insertInto('organisation')
    .values({ name: 'School', logo: null })
    .returning('id')
    .executeTakeFirstOrThrow()
).id
await setUpProvider(portal.owner, portal, school, { domain: 'factor.test' })

/** Signs in through the provider, which reports the methods `amr`. Returns the session. */
async function signInThroughProvider(email: string, amr: readonly string[]): Promise<string> {
  await emulator.control('POST', '/_openid/people', { subject: email, email, name: email, amr })
  const { status, body } = await signInAs(portal, email, email)
  expect(status).toBe(200)
  if (body.outcome !== 'unconfirmed') return body.uid
  await confirmLink(portal, email)
  return (await signInAs(portal, email, email)).body.uid
}

const CHANGES = [
  ['DELETE', '/account/second-factor/app'],
  ['POST', '/account/second-factor/recovery-codes'],
  ['POST', '/account/passkeys/challenge'],
] as const

async function expectUnconfirmed(uid: string) {
  for (const [method, path] of CHANGES) {
    const { status, body } = await at.send(method, path, undefined, uid)
    expect([path, status, body.code]).toEqual([path, 403, 'confirmFirst'])
  }
}
const confirm = (uid: string, by: object) => at.send('POST', '/account/confirm', by, uid)
const confirmationMethods = async (uid: string) =>
  (await at.sendOk('GET', '/account/second-factor', undefined, uid)).confirmBy

test('a session through a provider that reports no second factor starts unconfirmed', async () => {
  const email = await at.person('admin', school)
  const { secret } = await at.addApp(await portal.sessionOf(email))
  const uid = await signInThroughProvider(email, ['pwd'])
  await expectUnconfirmed(uid)
  expect(await confirmationMethods(uid)).toEqual(['code'])

  const byPassword = await confirm(uid, { password: PASSWORD })
  expect([byPassword.status, byPassword.body.message]).toEqual([403, expect.stringContaining('second factor')])
  await expectUnconfirmed(uid)
  expect((await confirm(uid, { code: '000000' })).status).toBe(403)
  await expectUnconfirmed(uid)
  expect((await confirm(uid, { code: await at.nextCode(secret) })).status).toBe(200)
  await at.addPasskey(uid)
  expect((await at.send('DELETE', '/account/second-factor/app', undefined, uid)).status).toBe(200)
})

test('requires another proof to add the first factor if the provider reports no second factor', async () => {
  const email = await at.person('admin', school)
  const uid = await signInThroughProvider(email, [])
  await expectUnconfirmed(uid)
  expect((await at.send('POST', '/account/second-factor/app', undefined, uid)).body.code).toBe('confirmFirst')
  expect((await confirm(uid, { password: PASSWORD })).status).toBe(200)
  await at.addApp(uid)

  const newUser = await signInThroughProvider('newcomer@factor.test', ['pwd'])
  await expectUnconfirmed(newUser)
  expect(await confirmationMethods(newUser)).toEqual([])
})

test('a session through a provider that reports a second factor starts confirmed', async () => {
  const email = await at.person('admin', school)
  await at.addApp(await portal.sessionOf(email))
  const uid = await signInThroughProvider(email, ['pwd', 'mfa'])
  expect((await at.send('DELETE', '/account/second-factor/app', undefined, uid)).status).toBe(200)
})

test('a password alone does not confirm an older session of a user with a second factor', async () => {
  const email = await at.person('user', school)
  const uid = await portal.sessionOf(email)
  const { secret, recoveryCodes } = await at.addApp(uid)
  await at.later(6 * 60)
  expect((await confirm(uid, { password: PASSWORD })).status).toBe(403)
  await expectUnconfirmed(uid)
  const code = await at.nextCode(secret)
  expect((await confirm(uid, { code })).status).toBe(200)
  await at.later(6 * 60)
  expect((await confirm(uid, { code })).status).toBe(403)
  expect((await confirm(uid, { code: recoveryCodes[0] })).status).toBe(200)
  await at.later(6 * 60)
  expect((await confirm(uid, { code: recoveryCodes[0] })).status).toBe(403)
  await expectUnconfirmed(uid)
})

test.each([
  ['nothing', {}],
  ['a password and a code', { password: PASSWORD, code: '123456' }],
  ['a challenge without an assertion', { challenge: 'challenge' }],
  ['a code and a challenge', { code: '123456', challenge: 'challenge' }],
])('rejects a confirmation with %s', async (_what, body) => {
  const uid = await portal.sessionOf(await at.person('user', school))
  expect((await confirm(uid, body)).status).toBe(400)
})
