import { expect, test } from 'vitest'
import { type Options, softwareAuthenticator, type Deviation } from '../test/authenticator.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { secondFactors } from '../test/second-factor.ts'
import { relyingPartyOf } from './relying-party.ts'

const portal = await sharedPortal()
const at = await secondFactors(portal)

async function withPasskey() {
  const email = await at.person('superadmin')
  const uid = await portal.sessionOf(email)
  return { email, uid, device: await at.addPasskey(uid) }
}

async function logInWithPasskey(answer: (options: Options) => unknown) {
  const { challenge, options } = await at.sendOk('POST', '/user/login/passkey/challenge')
  return at.send('POST', '/user/login/passkey', { challenge, assertion: answer(options) })
}

const OTHER_ORIGIN = 'https://evil.test'
const DEVIATIONS: readonly (readonly [string, Deviation])[] = [
  ['of another origin', { origin: OTHER_ORIGIN }],
  ['of another port of this very name', { origin: 'http://localhost:1' }],
  ['for another relying party', { rpId: 'evil.test' }],
  ['without user verification', { verifies: false }],
]

test('signs in with a passkey instead of a password', async () => {
  const { email, device } = await withPasskey()
  const { status, body } = await logInWithPasskey((options) => device.get(options))
  expect(status).toBe(200)
  expect(body).toMatchObject({ email, session: 'superadmin' })
  expect((await at.send('GET', '/user/me', undefined, body.uid)).status).toBe(200)
})

test('uses a passkey as the second step of a login', async () => {
  const { email, device } = await withPasskey()
  const { body } = await at.login(email)
  expect(body.ways).toEqual(['passkey', 'recovery'])
  expect(body.passkey).toMatchObject({ challenge: body.challenge, rpId: 'localhost', userVerification: 'required' })
  expect(body.passkey.allowCredentials).toEqual([expect.objectContaining({ id: device.id })])
  expect((await at.second(body.challenge, { assertion: device.get(body.passkey) })).status).toBe(200)
})

test.each(DEVIATIONS)('rejects an assertion %s in both sign-in methods', async (_how, twist) => {
  const { email, device } = await withPasskey()
  expect((await logInWithPasskey((options) => device.get(options, twist))).status).toBe(401)
  const { body } = await at.login(email)
  const second = await at.second(body.challenge, { assertion: device.get(body.passkey, twist) })
  expect([second.status, second.body.code]).toEqual([401, 'secondFactor'])
  expect((await at.second(body.challenge, { assertion: device.get(body.passkey) })).status).toBe(200)
})

test.each(DEVIATIONS)('does not add a passkey created %s', async (_how, twist) => {
  const uid = await portal.sessionOf(await at.person('superadmin'))
  const { challenge, options } = await at.sendOk('POST', '/account/passkeys/challenge', undefined, uid)
  const attestation = softwareAuthenticator(at.origin).create(options, twist)
  const reply = await at.send('POST', '/account/passkeys', { challenge, name: 'Laptop', attestation }, uid)
  expect([reply.status, reply.body.message]).toEqual([400, expect.stringMatching(/^attestation/)])
  expect((await at.sendOk('GET', '/account/second-factor', undefined, uid)).passkeys).toEqual([])
})

test('rejects a signature counter that does not increase, which indicates a cloned passkey', async () => {
  const { device } = await withPasskey()
  expect((await logInWithPasskey((options) => device.get(options, { uses: 50 }))).status).toBe(200)
  expect((await logInWithPasskey((options) => device.get(options, { uses: 50 }))).status).toBe(401)
  expect((await logInWithPasskey((options) => device.get(options, { uses: 7 }))).status).toBe(401)
  expect((await logInWithPasskey((options) => device.get(options, { uses: 51 }))).status).toBe(200)
})

test('accepts a passkey whose counter is always zero', async () => {
  const uid = await portal.sessionOf(await at.person('superadmin'))
  const device = softwareAuthenticator(at.origin)
  const { challenge, options } = await at.sendOk('POST', '/account/passkeys/challenge', undefined, uid)
  const attestation = device.create(options, { uses: 0 })
  await at.sendOk('POST', '/account/passkeys', { challenge, name: 'Synced', attestation }, uid)
  expect((await logInWithPasskey((asked) => device.get(asked, { uses: 0 }))).status).toBe(200)
  expect((await logInWithPasskey((asked) => device.get(asked, { uses: 0 }))).status).toBe(200)
})

test('accepts an assertion once, even if sent concurrently', async () => {
  const { device } = await withPasskey()
  const { challenge, options } = await at.sendOk('POST', '/user/login/passkey/challenge')
  const body = { challenge, assertion: device.get(options) }
  const replies = await Promise.all([1, 2, 3, 4].map(() => at.send('POST', '/user/login/passkey', body)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await at.send('POST', '/user/login/passkey', body)).status).toBe(401)
})

test('rejects an assertion for another challenge', async () => {
  const { device } = await withPasskey()
  const [one, other] = [
    await at.sendOk('POST', '/user/login/passkey/challenge'),
    await at.sendOk('POST', '/user/login/passkey/challenge'),
  ]
  const assertion = device.get(one.options)
  expect((await at.send('POST', '/user/login/passkey', { challenge: other.challenge, assertion })).status).toBe(401)
})

test('rejects a challenge of another purpose', async () => {
  const { email, device, uid } = await withPasskey()
  const proof = await at.sendOk('POST', '/account/passkeys/proof', undefined, uid)
  const assertion = device.get(proof.options)
  expect((await at.send('POST', '/user/login/passkey', { challenge: proof.challenge, assertion })).status).toBe(401)
  const { body } = await at.login(email)
  const second = { challenge: body.challenge, assertion: device.get(body.passkey) }
  expect((await at.send('POST', '/user/login/passkey', second)).status).toBe(401)
})

test('expires a sign-in challenge after five minutes', async () => {
  const { device } = await withPasskey()
  const { challenge, options } = await at.sendOk('POST', '/user/login/passkey/challenge')
  await at.later(301)
  const expiredLogin = await at.send('POST', '/user/login/passkey', { challenge, assertion: device.get(options) })
  expect([expiredLogin.status, expiredLogin.body.code]).toEqual([401, 'signedOut'])
})

test("rejects another user's passkey as second step and as confirmation", async () => {
  const ownSession = await withPasskey()
  const otherSession = await withPasskey()
  const { body } = await at.login(ownSession.email)
  expect((await at.second(body.challenge, { assertion: otherSession.device.get(body.passkey) })).status).toBe(401)
  const proof = await at.sendOk('POST', '/account/passkeys/proof', undefined, ownSession.uid)
  const assertion = otherSession.device.get(proof.options)
  const { challenge } = proof
  expect((await at.send('POST', '/account/confirm', { challenge, assertion }, ownSession.uid)).status).toBe(403)
})

test('rejects a passkey with another user’s user handle', async () => {
  const { device } = await withPasskey()
  const userHandle = Buffer.from('00000000-0000-4000-8000-000000000000').toString('base64url')
  expect((await logInWithPasskey((options) => device.get(options, { userHandle }))).status).toBe(401)
})

test('rejects an unknown passkey', async () => {
  const device = softwareAuthenticator(at.origin)
  expect((await logInWithPasskey((options) => device.get(options))).status).toBe(401)
})

test('does not add another user’s passkey', async () => {
  const otherSession = await withPasskey()
  const uid = await portal.sessionOf(await at.person('superadmin'))
  const { challenge, options } = await at.sendOk('POST', '/account/passkeys/challenge', undefined, uid)
  const attestation = otherSession.device.create(options)
  const reply = await at.send('POST', '/account/passkeys', { challenge, name: 'Theirs', attestation }, uid)
  expect(reply.status).toBe(409)
})

test('accepts a challenge for a new passkey only in its own session', async () => {
  const email = await at.person('superadmin')
  const [uid, other] = [await portal.sessionOf(email), await portal.sessionOf(email)]
  const otherSuperadmin = await portal.sessionOf(await at.person('superadmin'))
  const { challenge, options } = await at.sendOk('POST', '/account/passkeys/challenge', undefined, uid)
  const body = { challenge, name: 'Laptop', attestation: softwareAuthenticator(at.origin).create(options) }
  for (const caller of [other, otherSuperadmin]) {
    expect((await at.send('POST', '/account/passkeys', body, caller)).status).toBe(400)
  }
  expect((await at.send('POST', '/account/passkeys', body, uid)).status).toBe(200)
})

test('lets only their owner name, rename and remove passkeys', async () => {
  const { uid, device } = await withPasskey()
  const otherSuperadmin = await portal.sessionOf(await at.person('superadmin'))
  await at.addPasskey(uid, 'Phone')
  const { passkeys } = await at.sendOk('GET', '/account/second-factor', undefined, uid)
  expect(passkeys.map(({ name }: { name: string }) => name)).toEqual(['Laptop', 'Phone'])
  const [laptop, phone] = passkeys
  const rename = (who: string, name: string) => at.send('PATCH', '/account/passkeys', { _id: phone._id, name }, who)
  expect((await rename(otherSuperadmin, 'Mine')).status).toBe(404)
  expect((await rename(uid, 'laptop')).status).toBe(409)
  expect((await rename(uid, 'Work phone')).status).toBe(200)
  expect((await at.send('DELETE', '/account/passkeys', { _id: laptop._id }, otherSuperadmin)).status).toBe(404)
  expect((await at.send('DELETE', '/account/passkeys', { _id: laptop._id }, uid)).status).toBe(200)
  expect((await logInWithPasskey((options) => device.get(options))).status).toBe(401)
  const remaining = await at.sendOk('GET', '/account/second-factor', undefined, uid)
  expect(remaining.passkeys.map(({ name }: { name: string }) => name)).toEqual(['Work phone'])
})

test('keeps the last passkey of a user who has no other sign-in method', async () => {
  const email = await at.person('superadmin')
  const uid = await portal.sessionOf(email)
  await portal.owner.updateTable('portal_user').set({ password_hash: null }).where('email', '=', email).execute()
  await at.addPasskey(uid)
  await at.addPasskey(uid, 'Phone')
  const { passkeys } = await at.sendOk('GET', '/account/second-factor', undefined, uid)
  const removed = await Promise.all(
    passkeys.map(({ _id }: { _id: string }) => at.send('DELETE', '/account/passkeys', { _id }, uid)),
  )
  expect(removed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const remaining = await at.sendOk('GET', '/account/second-factor', undefined, uid)
  expect(remaining).toMatchObject({ passkeys: [{}], recoveryCodes: 10 })
  const _id = remaining.passkeys[0]._id
  await portal.owner.updateTable('portal_user').set({ password_hash: 'set' }).where('email', '=', email).execute()
  expect((await at.send('DELETE', '/account/passkeys', { _id }, uid)).status).toBe(200)
})

test('rejects a passkey name that looks like the name of another passkey of the same user', async () => {
  const { uid } = await withPasskey()
  await at.addPasskey(uid, 'Phone')
  const { passkeys } = await at.sendOk('GET', '/account/second-factor', undefined, uid)
  const phone = passkeys.find(({ name }: { name: string }) => name === 'Phone')
  const rename = async (name: string) =>
    (await at.send('PATCH', '/account/passkeys', { _id: phone._id, name }, uid)).status
  expect(await Promise.all(['\uFF2Captop', 'LAPTOP'].map(rename))).toEqual([409, 409])
  expect(await Promise.all(['Laptop\u200B', '\u202Epotpal', 'Lap  top'].map(rename))).toEqual([400, 400, 400])
})

test('supports passkeys on domain names and localhost, but not on other IP addresses', () => {
  expect(relyingPartyOf('https://labs.example.com')).toEqual({
    id: 'labs.example.com',
    origin: 'https://labs.example.com',
  })
  expect(relyingPartyOf('https://labs.example.com:8443/')?.origin).toBe('https://labs.example.com:8443')
  expect(relyingPartyOf('http://127.0.0.1:4000')).toEqual({ id: 'localhost', origin: 'http://localhost:4000' })
  expect(relyingPartyOf('http://[::1]:4000')?.id).toBe('localhost')
  expect(relyingPartyOf('http://10.1.2.3')).toBeNull()
  expect(relyingPartyOf('http://[fd00::1]')).toBeNull()
})
