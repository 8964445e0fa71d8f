import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import { signInThere } from '@trainyard/emulator/test/sign-in.ts'
import { setPortalClock } from '#test/clock.ts'
import { startTestEmulator, type TestEmulator } from '#test/emulator.ts'
import { begin, finish, setUpProvider, signInAs, start } from '#test/identity-providers.ts'
import { startTestPortal, type TestPortal } from '#test/portal.ts'

let emulator: TestEmulator
let portal: TestPortal
let initech: OrganisationId

beforeAll(async () => {
  emulator = await startTestEmulator()
})
afterAll(() => emulator.stop())
beforeEach(async () => {
  portal = await startTestPortal(inject('testCluster'), emulator.settings)
  initech = await addOrganisation('Initech')
  await setUpProvider(portal.owner, portal, initech, { domain: 'initech.test' })
})
afterEach(async () => {
  await emulator.clearFaults()
  await portal.close()
})

async function addOrganisation(name: string): Promise<OrganisationId> {
  const made = portal.owner.insertInto('organisation').values({ name, logo: null }).returning('id')
  return (await made.executeTakeFirstOrThrow()).id
}

const addAccount = (email: string, role: Role, organisation_id: OrganisationId | null) =>
  portal.owner.insertInto('portal_user').values({ email, role, organisation_id, password_hash: null }).execute()

const accountOf = (email: string) =>
  portal.owner
    .selectFrom('portal_user')
    .select(['email', 'role', 'organisation_id'])
    .where('email', '=', email)
    .executeTakeFirst()

const sessions = async (): Promise<number> =>
  (await portal.owner.selectFrom('session').select('token_hash').execute()).length

const mapGroups = async (groups: Record<string, 'user' | 'admin'>) => {
  await portal.owner.updateTable('identity_provider').set({ group_claim: 'groups' }).execute()
  const rows = Object.entries(groups).map(([name, role]) => ({ organisation_id: initech, name, role }))
  await portal.owner.insertInto('identity_provider_group').values(rows).execute()
}

const person = (subject: string, email: string, more: object = {}) =>
  emulator.control('POST', '/_openid/people', { subject, email, name: subject, ...more })

const LEARNER = 'learner@initech.test'

// @covers R15.1
test('a first sign-in makes a learner, whose session is that of every login, and a second finds them', async () => {
  const first = await signInAs(portal, LEARNER, 'initech-learner')
  expect(first.body).toMatchObject({
    outcome: 'entered',
    email: LEARNER,
    organization: 'Initech',
    session: 'user',
    signOutAddress: null,
  })
  expect(first.cookies.join()).toContain(`trainyard_session=${first.body.uid};`)
  expect(await accountOf(LEARNER)).toEqual({ email: LEARNER, role: 'user', organisation_id: initech })
  expect((await portal.ask('GET', '/user/me', { uid: first.body.uid })).status).toBe(200)
  expect((await signInAs(portal, LEARNER, 'initech-learner')).status).toBe(200)
  expect(await portal.owner.selectFrom('portal_user').select('id').execute()).toHaveLength(1)
})

test('an account that is there keeps its role, and is bound', async () => {
  await addAccount('admin@initech.test', 'admin', initech)
  expect((await signInAs(portal, 'admin@initech.test', 'initech-admin')).body).toMatchObject({ session: 'admin' })
  expect(await portal.owner.selectFrom('provider_identity').select('subject').execute()).toEqual([
    { subject: 'initech-admin' },
  ])
})

test('of two first sign-ins at once both come in as one account', async () => {
  const begun = await Promise.all([begin(portal, LEARNER), begin(portal, LEARNER)])
  const answers = await Promise.all(begun.map(({ address }) => signInThere(address, 'initech-learner')))
  const replies = await Promise.all(answers.map(({ search }, at) => finish(portal, search.slice(1), begun[at]!.cookie)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(await portal.owner.selectFrom('provider_identity').select('subject').execute()).toHaveLength(1)
})

test.each([
  ['of nobody', 'nobody@nowhere.test'],
  ['of an organisation without a provider', 'someone@other.test'],
  ['of a domain that is not verified', 'someone@unverified.test'],
  ['below a verified domain', 'someone@sub.initech.test'],
])('an e-mail %s begins no sign-in', async (_what, email) => {
  await addOrganisation('Other')
  await portal.owner
    .insertInto('organisation_domain')
    .values({ organisation_id: initech, domain: 'unverified.test', verified_at: null, verified_by: null })
    .execute()
  const { status, cookies } = await start(portal, email)
  expect([status, cookies]).toEqual([404, []])
})

// @covers A83
test('an answer is taken once, and only in the browser that began, with its own state', async () => {
  const [mine, other] = [await begin(portal, LEARNER), await begin(portal, LEARNER)]
  const answer = (await signInThere(mine.address, 'initech-learner')).search.slice(1)
  expect((await finish(portal, answer)).status).toBe(403)
  expect((await finish(portal, answer, 'made-up')).status).toBe(403)
  // Another browser's cookie: the state in the answer is not its own. Its sign-in is used up by the try.
  expect((await finish(portal, answer, other.cookie)).status).toBe(403)
  expect(await sessions()).toBe(0)

  const both = await Promise.all([finish(portal, answer, mine.cookie), finish(portal, answer, mine.cookie)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
  expect((await finish(portal, answer, mine.cookie)).status).toBe(403)
  expect(await sessions()).toBe(1)
})

// @covers A83
test.each([
  ['a changed state', (answer: URLSearchParams) => answer.set('state', 'x'.repeat(43))],
  ['no state', (answer: URLSearchParams) => answer.delete('state')],
  ['two states', (answer: URLSearchParams) => answer.append('state', answer.get('state')!)],
  ['another issuer in the answer', (answer: URLSearchParams) => answer.set('iss', 'https://issuer.evil.test')],
  ['no code', (answer: URLSearchParams) => answer.delete('code')],
  ['a code that never was', (answer: URLSearchParams) => answer.set('code', 'made-up')],
  [
    'the provider’s refusal',
    (answer: URLSearchParams) => (answer.delete('code'), answer.set('error', 'access_denied')),
  ],
])('an answer with %s is refused, and the sign-in is over', async (_what, spoil) => {
  const { cookie, address } = await begin(portal, LEARNER)
  const answer = (await signInThere(address, 'initech-learner')).searchParams
  const right = answer.toString()
  spoil(answer)
  expect((await finish(portal, answer.toString(), cookie)).status).toBe(403)
  expect((await finish(portal, right, cookie)).status).toBe(403)
  expect(await sessions()).toBe(0)
})

// @covers A84
test('a code that was given to another application is worth nothing here', async () => {
  const { cookie, address } = await begin(portal, LEARNER)
  const elsewhere = new URL(address)
  elsewhere.searchParams.set('client_id', 'another-application')
  const answer = (await signInThere(elsewhere.href, 'initech-learner')).search.slice(1)
  expect((await finish(portal, answer, cookie)).status).toBe(403)
  expect(await sessions()).toBe(0)
})

// @covers A84
test('a code of another sign-in is worth nothing in this one: it has another verifier', async () => {
  const [mine, stolen] = [await begin(portal, LEARNER), await begin(portal, 'admin@initech.test')]
  const theirs = (await signInThere(stolen.address, 'initech-admin')).searchParams
  const answer = (await signInThere(mine.address, 'initech-learner')).searchParams
  answer.set('code', theirs.get('code')!)
  expect((await finish(portal, answer.toString(), mine.cookie)).status).toBe(403)
  expect(await sessions()).toBe(0)
})

test.each([
  ['names another issuer', 'https://issuer.evil.test'],
  ['leaves out the issuer that the provider promises to name', null],
])('an answer that %s is refused before its code is sent anywhere', async (_what, issuer) => {
  const { cookie, address } = await begin(portal, LEARNER)
  const answer = (await signInThere(address, 'initech-learner')).searchParams
  expect(answer.get('iss')).toMatch(/\/openid$/)
  if (issuer === null) answer.delete('iss')
  else answer.set('iss', issuer)
  await emulator.fault({ kind: 'serverError', operation: 'OpenId_Token' })
  expect((await finish(portal, answer.toString(), cookie)).status).toBe(403)
  expect(await sessions()).toBe(0)
})

test('a sign-in that was begun ends after ten minutes', async () => {
  const { cookie, address } = await begin(portal, LEARNER)
  const answer = (await signInThere(address, 'initech-learner')).search.slice(1)
  await setPortalClock(portal.owner, { ahead: 601 })
  expect((await finish(portal, answer, cookie)).status).toBe(403)
})

// @covers A85
test.each([
  ['wrongIssuer', /not from the issuer that was set up/],
  ['wrongAudience', /meant for another application/],
  ['otherNonce', /belongs to another sign-in/],
  ['unverifiedEmail', /does not say that the e-mail learner@initech.test is verified/],
  ['unsigned', /can not be believed/],
  ['signedWithSecret', /can not be believed/],
  ['signedByAnotherKey', /can not be believed/],
])('a provider that lies is not believed: %s', async (kind, sentence) => {
  await emulator.fault({ kind, operation: 'OpenId_Token' })
  const { status, body } = await signInAs(portal, LEARNER, 'initech-learner')
  expect([status, body.message]).toEqual([403, expect.stringMatching(sentence)])
  expect([await sessions(), await accountOf(LEARNER)]).toEqual([0, undefined])
})

// @covers A85
test.each([
  ['clockAhead', 30, 200],
  ['clockAhead', 120, 403],
  ['expired', 30, 200],
  ['expired', 120, 403],
])('clocks may differ by a minute: %s by %i s is answered with %i', async (kind, seconds, status) => {
  await emulator.fault({ kind, operation: 'OpenId_Token', seconds })
  expect((await signInAs(portal, LEARNER, 'initech-learner')).status).toBe(status)
})

// @covers A86
test.each([
  ['of a domain that is not verified', 'ceo@acme.test'],
  ['of a domain below a verified one', 'ceo@sub.initech.test'],
  ['that is none', 'ceo'],
  ['that ends like a verified domain', 'ceo@notinitech.test'],
])('a provider may not speak for an e-mail %s', async (_what, email) => {
  await person('speaks-for-others', email)
  expect((await signInAs(portal, LEARNER, 'speaks-for-others')).status).toBe(403)
  expect(await sessions()).toBe(0)
})

test('a refused sign-in is a row of the organisation, and says whom its provider named', async () => {
  await person('speaks-for-others', 'ceo@acme.test')
  await signInAs(portal, LEARNER, 'speaks-for-others')
  await emulator.fault({ kind: 'unsigned', operation: 'OpenId_Token' })
  await signInAs(portal, LEARNER, 'initech-learner')
  const rows = portal.owner.selectFrom('audit').select(['actor_email', 'organisation_id', 'refused'])
  expect(await rows.where('call', '=', 'providerSignIn.finish').orderBy('id').execute()).toEqual([
    { actor_email: 'ceo@acme.test', organisation_id: initech, refused: 'forbidden' },
    { actor_email: null, organisation_id: initech, refused: 'forbidden' },
  ])
})

test('a provider that does not tell of verification is not believed', async () => {
  await person('without-claim', 'without@initech.test', { emailVerified: null })
  expect((await signInAs(portal, LEARNER, 'without-claim')).status).toBe(403)
})

// @covers A86
test('accounts of superadmins and of other organisations are never bound', async () => {
  await addAccount('boss@initech.test', 'superadmin', null)
  await addAccount('guest@initech.test', 'admin', await addOrganisation('Other'))
  for (const name of ['boss', 'guest']) {
    await person(`takes-${name}`, `${name}@initech.test`)
    const { status, body } = await signInAs(portal, LEARNER, `takes-${name}`)
    expect([status, body.message]).toEqual([403, expect.stringContaining('not of this organisation')])
  }
  expect(await portal.owner.selectFrom('provider_identity').select('subject').execute()).toEqual([])
  const all = portal.owner.selectFrom('portal_user').select('id').where('role', '=', 'superadmin')
  const { id: user_id } = await all.executeTakeFirstOrThrow()
  const bound = { organisation_id: initech, issuer: 'https://a.test', subject: 'x', user_id }
  await expect(portal.owner.insertInto('provider_identity').values(bound).execute()).rejects.toThrow('foreign key')
})

// @covers A86
test('a superadmin who belongs to the organisation comes in by no provider, bound before or not', async () => {
  const lead = 'lead@initech.test'
  await addAccount('chief@initech.test', 'superadmin', initech)
  await person('takes-chief', 'chief@initech.test', { groups: ['leads'] })
  await person('rises', lead)
  expect((await signInAs(portal, LEARNER, 'rises')).body).toMatchObject({ email: lead, session: 'user' })
  await portal.owner.updateTable('portal_user').set({ role: 'superadmin' }).where('email', '=', lead).execute()
  const before = await sessions()
  for (const subject of ['takes-chief', 'rises']) {
    const { status, body } = await signInAs(portal, LEARNER, subject)
    expect([status, body.message]).toEqual([403, expect.stringContaining('Superadmins log in with a password')])
  }
  expect(await sessions()).toBe(before)
  const bound = await portal.owner.selectFrom('provider_identity').select('subject').execute()
  expect(bound).toEqual([{ subject: 'rises' }])
})

// @covers A89
test('a person is known by issuer and subject: a changed e-mail comes in as before, a reused one does not', async () => {
  await person('moves', 'before@initech.test')
  expect((await signInAs(portal, LEARNER, 'moves')).body).toMatchObject({ email: 'before@initech.test' })
  await person('moves', 'after@initech.test')
  expect((await signInAs(portal, LEARNER, 'moves')).body).toMatchObject({ email: 'before@initech.test' })
  expect(await accountOf('after@initech.test')).toBeUndefined()

  await person('newcomer', 'before@initech.test')
  const { status, body } = await signInAs(portal, LEARNER, 'newcomer')
  expect([status, body.message]).toEqual([403, expect.stringContaining('bound to another person')])
})

// @covers R15.3
test('groups say the role at each sign-in, and never more than admin', async () => {
  await mapGroups({ 'lab-admins': 'admin', learners: 'user' })
  expect((await signInAs(portal, LEARNER, 'initech-learner')).body).toMatchObject({ session: 'user' })
  const { body } = await signInAs(portal, 'admin@initech.test', 'initech-admin')
  expect(body).toMatchObject({ session: 'admin' })

  // Out of the group: a learner from the next sign-in on, and no session goes on as admin.
  await addAccount('root@portal.test', 'superadmin', null)
  await person('initech-admin', 'admin@initech.test', { groups: ['learners'] })
  expect((await signInAs(portal, 'admin@initech.test', 'initech-admin')).body).toMatchObject({ session: 'user' })
  expect((await portal.ask('GET', '/user/me', { uid: body.uid })).status).toBe(401)
  expect(await accountOf('root@portal.test')).toMatchObject({ role: 'superadmin' })
  const changes = portal.owner.selectFrom('audit').select(['call', 'before', 'after']).where('before', 'is not', null)
  expect(await changes.execute()).toEqual([
    { call: 'providerSignIn.finish', before: { role: 'admin' }, after: { role: 'user' } },
  ])
  await person('initech-admin', 'admin@initech.test', { groups: ['lab-admins'] })

  const values = { organisation_id: initech, name: 'all', role: 'superadmin' as never }
  await expect(portal.owner.insertInto('identity_provider_group').values(values).execute()).rejects.toThrow('check')
})

// @covers R15.4
test('admins come in only with a second factor at the provider, where their organisation wants that', async () => {
  const admin = 'lead@initech.test'
  const cameIn = async (subject: string, email = admin) => (await signInAs(portal, email, subject)).status
  await addAccount(admin, 'admin', initech)
  const proving = (amr: unknown) => person('lead', admin, { groups: ['leads'], ...(amr !== undefined && { amr }) })
  await proving(['pwd'])
  expect(await cameIn('lead')).toBe(200)
  await portal.owner.updateTable('identity_provider').set({ admins_need_second_factor: true }).execute()
  for (const amr of [undefined, ['pwd'], ['otp'], ['MFA', 'mfa ']]) {
    await proving(amr)
    const refused = await signInAs(portal, admin, 'lead')
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('the claim amr must list mfa'),
    ])
  }
  expect(await cameIn('initech-learner', LEARNER)).toBe(200)
  await proving(['pwd', 'otp', 'mfa'])
  expect(await cameIn('lead')).toBe(200)
  // One whom a group makes an admin is refused alike, and gets no account by it.
  await mapGroups({ leads: 'admin' })
  await person('riser', 'riser@initech.test', { groups: ['leads'], amr: ['pwd'] })
  expect(await cameIn('riser', 'riser@initech.test')).toBe(403)
  expect(await accountOf('riser@initech.test')).toBeUndefined()
})

// @covers R15.6
test.each(['serverError', 'dropConnection', 'malformed'])(
  'a provider that is down is told of with the other way in: %s',
  async (kind) => {
    await emulator.fault({ kind, operation: 'OpenId_Discovery', times: 1 })
    const { status, body } = await start(portal, LEARNER)
    expect(status).toBe(503)
    expect(body.message).toMatch(/^Your organisation's sign-in does not work just now: .* log in with your password\.$/)
    // It is asked anew: its failure was not kept.
    expect((await start(portal, LEARNER)).status).toBe(200)
  },
)

test('nobody is sent to a password that their organisation does not allow', async () => {
  await portal.owner.updateTable('identity_provider').set({ worked_at: new Date() }).execute()
  await portal.owner.updateTable('organisation').set({ passwords_allowed: false }).where('id', '=', initech).execute()
  await emulator.fault({ kind: 'serverError', operation: 'OpenId_Discovery', times: 1 })
  const { status, body } = await start(portal, LEARNER)
  expect(status).toBe(503)
  expect(body.message).toMatch(/Please try again shortly\.$/)
})

test('a provider that goes down between two steps is told of too', async () => {
  await emulator.fault({ kind: 'dropConnection', operation: 'OpenId_Token' })
  expect((await signInAs(portal, LEARNER, 'initech-learner')).status).toBe(503)
})

test('neither secret, nor code, nor token is in the audit or in the database', async () => {
  const { cookie, address } = await begin(portal, LEARNER)
  const answer = (await signInThere(address, 'initech-learner')).searchParams
  expect((await finish(portal, answer.toString(), cookie)).status).toBe(200)
  const audit = JSON.stringify(await portal.owner.selectFrom('audit').selectAll().execute())
  expect(audit).toContain('providerSignIn.finish')
  for (const secret of [answer.get('code')!, answer.get('state')!, cookie]) expect(audit).not.toContain(secret)
  const begun = await begin(portal, LEARNER)
  const kept = await portal.owner.selectFrom('provider_sign_in').select('token_hash').execute()
  expect(kept.map(({ token_hash }) => token_hash.toString('base64url'))).not.toContain(begun.cookie)
})

test('the cookie of a sign-in is for no script and for no other site', async () => {
  const { cookies } = await start(portal, LEARNER)
  expect(cookies).toEqual([
    expect.stringMatching(/^trainyard_sign_in=.{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/),
  ])
})

test.each([
  [{}, 'answer is missing.'],
  [{ answer: '' }, 'answer must not be empty.'],
  [{ answer: 'x'.repeat(8_001) }, 'answer must be at most 8000 characters long.'],
  [{ answer: 'code=x', next: 'https://evil.test' }, 'next is not a known field.'],
])('an odd body names its field: %j', async (body, message) => {
  const reply = await portal.ask('POST', '/sign-in/finish', { body })
  expect([reply.status, await reply.json()]).toEqual([400, expect.objectContaining({ message })])
})
