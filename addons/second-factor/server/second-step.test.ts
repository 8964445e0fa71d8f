import { expect, test } from 'vitest'
import { PASSWORD, secondFactors } from '../test/second-factor.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { invitationToken } from '@trainyard/users/server/invitation-link.ts'
import { addInvitation } from '@trainyard/users/server/invite-users.ts'
import { hashPassword } from '@trainyard/users/server/passwords.ts'

const portal = await sharedPortal()
const at = await secondFactors(portal)

async function challenged() {
  const email = await at.person('superadmin')
  const uid = await portal.sessionOf(email)
  const app = await at.addApp(uid)
  const { status, body } = await at.login(email)
  expect(status).toBe(401)
  return { email, uid, ...app, challenge: body.challenge as string, body }
}

test('signs in without a second step if the user has no second factor', async () => {
  const email = await at.person('superadmin')
  const { status, body } = await at.login(email)
  expect(status).toBe(200)
  expect(body).toEqual({
    email,
    organization: null,
    uid: expect.any(String),
    session: 'superadmin',
    message: 'Login successful.',
  })
})

test('requests the second factor after a correct password and opens no session', async () => {
  const { email, body } = await challenged()
  expect(body).toEqual({
    code: 'secondFactor',
    message: expect.any(String),
    error: expect.any(String),
    requestId: expect.any(String),
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    ways: ['totp', 'recovery'],
    passkey: null,
  })
  const reply = await portal.request('POST', '/user/login', { body: { email, password: PASSWORD } })
  expect(reply.headers.get('set-cookie')).toBeNull()
})

test('does not reveal the second factor after a wrong password', async () => {
  const { email } = await challenged()
  const { status, body } = await at.send('POST', '/user/login', { email, password: 'wrong' })
  expect([status, body.code, body.challenge]).toEqual([401, 'signedOut', undefined])
})

const withDigitsFrom = (text: string, zero: number): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

test('signs in with an app code and opens a regular session', async () => {
  const { email, secret, challenge } = await challenged()
  const { status, body } = await at.second(challenge, { code: await at.nextCode(secret) })
  expect(status).toBe(200)
  expect(body).toMatchObject({ email, session: 'superadmin', message: 'Login successful.' })
  expect((await at.send('GET', '/user/me', undefined, body.uid)).status).toBe(200)
})

test.each([
  ['of the step before', -30, 200],
  ['of the step after', 30, 200],
  ['two steps old', -60, 401],
  ['two steps ahead', 60, 401],
])('a code %s is accepted within the clock tolerance only', async (_of, seconds, status) => {
  const { secret, challenge } = await challenged()
  await at.later(120)
  expect((await at.second(challenge, { code: at.codeOf(secret, seconds) })).status).toBe(status)
})

test('accepts a code once across all challenges, and then no code of an earlier step', async () => {
  const { email, secret, challenge } = await challenged()
  const code = await at.nextCode(secret)
  const { body: other } = await at.login(email)
  expect((await at.second(challenge, { code })).status).toBe(200)
  const again = await at.second(other.challenge, { code })
  expect([again.status, again.body.code]).toEqual([401, 'secondFactor'])
  expect((await at.second(other.challenge, { code: at.codeOf(secret, -30) })).status).toBe(401)
  expect((await at.second(other.challenge, { code: at.codeOf(secret, 30) })).status).toBe(200)
})

test("accepts one of four concurrent uses of a code, and another user's code of the same step", async () => {
  const [one, other] = [await challenged(), await challenged()]
  await at.later(60)
  const code = at.codeOf(one.secret)
  const challenges = [one.challenge]
  while (challenges.length < 4) challenges.push((await at.login(one.email)).body.challenge)
  const replies = await Promise.all(challenges.map((challenge) => at.second(challenge, { code })))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401])
  expect((await at.second(other.challenge, { code: at.codeOf(other.secret) })).status).toBe(200)
})

test('rejects the code that was used to set up the app', async () => {
  const { secret, challenge } = await challenged()
  expect((await at.second(challenge, { code: at.codeOf(secret) })).status).toBe(401)
})

test('accepts a recovery code once in any spelling and stores only its hash', async () => {
  const { email, recoveryCodes, challenge } = await challenged()
  const [code] = recoveryCodes as [string]
  expect(recoveryCodes).toHaveLength(10)
  expect(new Set(recoveryCodes).size).toBe(10)
  expect(
    (
      await at.second(challenge, {
        code: `\u00a0${withDigitsFrom(code.toLowerCase(), 0xff10).replaceAll('-', '\u2013')}`,
      })
    ).status,
  ).toBe(200)
  const { body: again } = await at.login(email)
  expect((await at.second(again.challenge, { code })).status).toBe(401)
  const stored = await portal.owner.selectFrom('recovery_code').select('code_hash').execute()
  expect(stored.some(({ code_hash }) => code_hash.toString().includes(code.slice(0, 4)))).toBe(false)
})

test('accepts one of eight concurrent uses of a recovery code', async () => {
  const { email, recoveryCodes } = await challenged()
  const challenges = await Promise.all(Array.from({ length: 8 }, async () => (await at.login(email)).body.challenge))
  const replies = await Promise.all(challenges.map((each) => at.second(each, { code: recoveryCodes[1]! })))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('accepts one answer per challenge', async () => {
  const { secret, recoveryCodes, challenge } = await challenged()
  expect((await at.second(challenge, { code: await at.nextCode(secret) })).status).toBe(200)
  const again = await at.second(challenge, { code: recoveryCodes[2]! })
  expect([again.status, again.body.code]).toEqual([401, 'signedOut'])
})

test('expires a challenge after five minutes', async () => {
  const { secret, challenge } = await challenged()
  await at.later(5 * 60 - 70)
  expect((await at.second(challenge, { code: '000000' })).body.code).toBe('secondFactor')
  await at.later(71)
  const expiredReply = await at.second(challenge, { code: at.codeOf(secret) })
  expect([expiredReply.status, expiredReply.body.code]).toEqual([401, 'signedOut'])
})

test('rejects codes for another user’s challenge', async () => {
  const ownSession = await challenged()
  const otherSession = await challenged()
  const code = await at.nextCode(ownSession.secret)
  expect((await at.second(otherSession.challenge, { code })).status).toBe(401)
  expect((await at.second(otherSession.challenge, { code: ownSession.recoveryCodes[0]! })).status).toBe(401)
  expect((await at.second(ownSession.challenge, { code })).status).toBe(200)
})

test('rejects a challenge from another browser', async () => {
  const { secret, challenge } = await challenged()
  const code = await at.nextCode(secret)
  const headers = { 'user-agent': 'Another/1.0' }
  const reply = await portal.request('POST', '/user/login/second', { body: { challenge, code }, headers })
  expect(reply.status).toBe(401)
  expect((await at.second(challenge, { code })).status).toBe(200)
})

test.each([
  ['a no-break space', (code: string) => `${code.slice(0, 3)}\u00a0${code.slice(3)}`],
  ['a hyphen and blanks around it', (code: string) => `  ${code.slice(0, 3)}-${code.slice(3)} `],
  ['full-width digits', (code: string) => withDigitsFrom(code, 0xff10)],
  ['Devanagari digits', (code: string) => withDigitsFrom(code, 0x966)],
])('accepts an app code with %s', async (_with, type) => {
  const { secret, challenge } = await challenged()
  expect((await at.second(challenge, { code: type(await at.nextCode(secret)) })).status).toBe(200)
})

test('rejects an app code with other characters or more digits', async () => {
  const { secret, challenge } = await challenged()
  const code = await at.nextCode(secret)
  for (const wrong of [`${code}a`, `${code}0`]) {
    const reply = await at.second(challenge, { code: wrong })
    expect([reply.status, reply.body.code]).toEqual([401, 'secondFactor'])
  }
})

test('rejects the second step after a password change', async () => {
  const { email, secret, challenge } = await challenged()
  const password_hash = await hashPassword('another long password')
  await portal.app.db.updateTable('portal_user').set({ password_hash }).where('email', '=', email).execute()
  const expiredReply = await at.second(challenge, { code: await at.nextCode(secret) })
  expect([expiredReply.status, expiredReply.body.code]).toEqual([401, 'signedOut'])
})

test('requires the second factor after a password was set by link', async () => {
  const { email, uid, secret } = await challenged()
  const { actor } = (await findSignInUser(portal.app.db, { email }))!
  const id = await portal.app.db.transaction().execute((tx) => addInvitation(tx, actor.id))
  const password = 'another long password'
  const token = invitationToken(portal.app.seal, id)
  const set = await at.sendOk('POST', '/user/password', { token, password })
  expect(set).toEqual({ email, uid: null, message: expect.stringContaining('log in') })
  expect((await at.send('GET', '/user/me', undefined, uid)).status).toBe(401)
  const { status, body } = await at.send('POST', '/user/login', { email, password })
  expect([status, body.code]).toEqual([401, 'secondFactor'])
  expect((await at.second(body.challenge, { code: await at.nextCode(secret) })).status).toBe(200)
})

test('checks five of fifty concurrent guesses per challenge', async () => {
  const { secret, challenge } = await challenged()
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => at.second(challenge, { code: String(n).padStart(6, '0') })),
  )
  const wrongReplies = replies.filter(({ body }) => /wrong/i.test(body.message))
  expect(wrongReplies).toHaveLength(5)
  expect(replies.every(({ status }) => status === 401)).toBe(true)
  expect((await at.second(challenge, { code: await at.nextCode(secret) })).status).toBe(401)
})

test('checks ten wrong codes per minute and user across challenges', async () => {
  const { email, secret, recoveryCodes } = await challenged()
  const wrongStatuses: number[] = []
  const validCounts: number[] = []
  for (let round = 0; round < 3; round++) {
    const { body } = await at.login(email)
    for (let n = 0; n < 4; n++) wrongStatuses.push((await at.second(body.challenge, { code: '000000' })).status)
    if (round < 2) validCounts.push((await at.second(body.challenge, { code: recoveryCodes[round]! })).status)
  }
  expect([validCounts, wrongStatuses]).toEqual([
    [200, 200],
    [...Array.from({ length: 10 }, () => 401), 429, 429],
  ])
  const { body } = await at.login(email)
  expect((await at.second(body.challenge, { code: await at.nextCode(secret) })).status).toBe(200)
})

/** Sends an answer with several challenges, so that no challenge runs out of answers. */
async function answerOften(email: string, times: number, answer: object): Promise<number[]> {
  const statuses: number[] = []
  while (statuses.length < times) {
    const { body } = await at.login(email)
    for (let n = 0; n < 4; n++) statuses.push((await at.second(body.challenge, answer)).status)
  }
  return statuses
}

test('accepts recovery codes and passkeys after wrong app codes of a client that knows the password', async () => {
  const { email, uid, recoveryCodes } = await challenged()
  const device = await at.addPasskey(uid)
  expect(await answerOften(email, 12, { code: '000000' })).toEqual([...Array(10).fill(401), 429, 429])
  const { body: one } = await at.login(email)
  expect((await at.second(one.challenge, { code: recoveryCodes[0]! })).status).toBe(200)
  const { body: two } = await at.login(email)
  expect((await at.second(two.challenge, { assertion: device.get(two.passkey) })).status).toBe(200)
})

test(
  'every factor still works after wrong recovery codes and passkeys of a client that knows the password',
  { tags: ['storm'] },
  async () => {
    const { email, uid, secret, recoveryCodes } = await challenged()
    const device = await at.addPasskey(uid)
    const { body: old } = await at.login(email)
    expect(new Set(await answerOften(email, 12, { code: 'A'.repeat(24) }))).toEqual(new Set([401]))
    expect(new Set(await answerOften(email, 12, { assertion: device.get(old.passkey) }))).toEqual(new Set([401]))
    const { body: one } = await at.login(email)
    expect((await at.second(one.challenge, { code: await at.nextCode(secret) })).status).toBe(200)
    const { body: two } = await at.login(email)
    expect((await at.second(two.challenge, { code: recoveryCodes[0]! })).status).toBe(200)
    const { body: three } = await at.login(email)
    expect((await at.second(three.challenge, { assertion: device.get(three.passkey) })).status).toBe(200)
  },
)

test('checks fifty wrong codes per day and user, and still accepts recovery codes', async () => {
  const { email, secret, recoveryCodes } = await challenged()
  await portal.owner.updateTable('authenticator_app').set({ tried: 49 }).execute()
  const { body } = await at.login(email)
  expect((await at.second(body.challenge, { code: '000000' })).status).toBe(401)
  const refused = await at.second(body.challenge, { code: await at.nextCode(secret) })
  expect([refused.status, refused.body.message]).toEqual([429, expect.stringContaining('recovery code')])
  expect((await at.second(body.challenge, { code: recoveryCodes[3]! })).status).toBe(200)
  await at.later(24 * 3600)
  const { body: tomorrow } = await at.login(email)
  expect((await at.second(tomorrow.challenge, { code: await at.nextCode(secret) })).status).toBe(200)
})

test.each([
  ['neither a code nor an assertion', {}, 'code must be given'],
  ['both', { code: '000000', assertion: { id: 'a' } }, 'assertion'],
  ['an empty code', { code: '' }, 'code must not be empty'],
  ['a code that is a number', { code: 123456 }, 'code must be text'],
])('rejects %s, naming the field', async (_what, answer, sentence) => {
  const { status, body } = await at.second('challenge', answer)
  expect([status, body.message]).toEqual([400, expect.stringContaining(sentence)])
})

test('rejects the second step after the password was removed', async () => {
  const { email, secret, challenge } = await challenged()
  await portal.owner.updateTable('portal_user').set({ password_hash: null }).where('email', '=', email).execute()
  expect((await at.second(challenge, { code: await at.nextCode(secret) })).status).toBe(401)
})

test('rejects the second step after the user was deleted', async () => {
  const { email, secret, challenge } = await challenged()
  await portal.owner.deleteFrom('portal_user').where('email', '=', email).execute()
  expect((await at.second(challenge, { code: await at.nextCode(secret) })).status).toBe(401)
})

test('audits a wrong code with the user but without the code', async () => {
  const { email, challenge } = await challenged()
  await at.second(challenge, { code: '424242' })
  const rows = await portal.owner
    .selectFrom('audit')
    .select(['actor_email', 'refused', 'detail'])
    .where('call', '=', 'session.loginSecond')
    .where('actor_email', '=', email)
    .execute()
  expect(rows.map(({ refused }) => refused)).toEqual(['secondFactor'])
  expect(JSON.stringify(rows)).not.toContain('424242')
})
