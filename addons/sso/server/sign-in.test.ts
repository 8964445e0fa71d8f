/** @module-tag full */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { signInAtProvider } from '@trainyard/platform/emulator/test/sign-in.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { startTestEmulator, type TestEmulator } from '@trainyard/platform/test/emulator.ts'
import { begin, confirmLink, finish, setUpProvider, signInAs, start } from '../test/identity-providers.ts'
import { untilWaitingForLock } from '@trainyard/platform/test/lock-waits.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { removeProvider } from './settings.ts'

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
  const created = portal.owner.insertInto('organisation').values({ name, logo: null }).returning('id')
  return (await created.executeTakeFirstOrThrow()).id
}

const addPortalUser = (email: string, role: Role, organisation_id: OrganisationId | null) =>
  portal.owner.insertInto('portal_user').values({ email, role, organisation_id, password_hash: null }).execute()

const accountOf = (email: string) =>
  portal.owner
    .selectFrom('portal_user')
    .select(['email', 'role', 'organisation_id'])
    .where('email', '=', email)
    .executeTakeFirst()

/** Adds a link that moves an account to another address, as the directory requests it. */
const requestAddress = (email: string, newEmail: string) =>
  sql`
    insert into invitation (user_id, purpose, new_email, expires_at, mailed_at)
    select id, 'address', ${newEmail}, portal_now() + interval '1 day', portal_now() - interval '1 hour'
    from portal_user where email = ${email}`.execute(portal.owner)

const confirmationMails = async () =>
  (await sql`select from pgboss.job where name = 'user.confirmChange'`.execute(portal.owner)).rows.length

const sessions = async (): Promise<number> =>
  (await portal.owner.selectFrom('session').select('token_hash').execute()).length

const mapGroups = async (groups: Record<string, 'user' | 'admin'>) => {
  await portal.owner.updateTable('identity_provider').set({ group_claim: 'groups' }).execute()
  const rows = Object.entries(groups).map(([name, role]) => ({ organisation_id: initech, name, role }))
  await portal.owner.insertInto('identity_provider_group').values(rows).execute()
}

const person = (subject: string, email: string, overrides: object = {}) =>
  emulator.control('POST', '/_openid/people', { subject, email, name: subject, ...overrides })

const LEARNER = 'learner@initech.test'

test('creates a learner and opens a session at the first sign-in; the second one finds the user', async () => {
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
  expect((await portal.request('GET', '/user/me', { uid: first.body.uid })).status).toBe(200)
  expect((await signInAs(portal, LEARNER, 'initech-learner')).status).toBe(200)
  expect(await portal.owner.selectFrom('portal_user').select('id').execute()).toHaveLength(1)
})

test('links an existing user and keeps their role; an admin confirms the link', async () => {
  await addPortalUser(LEARNER, 'user', initech)
  expect((await signInAs(portal, LEARNER, 'initech-learner')).body).toMatchObject({ session: 'user' })
  await portal.owner.deleteFrom('provider_identity').execute()
  await addPortalUser('admin@initech.test', 'admin', initech)
  // Any admin can choose the provider.
  const first = await signInAs(portal, 'admin@initech.test', 'initech-admin')
  expect([first.body.outcome, first.cookies.join()]).toEqual([
    'unconfirmed',
    expect.not.stringContaining('trainyard_session'),
  ])
  expect(await portal.owner.selectFrom('provider_identity').select('subject').execute()).toEqual([])
  await confirmLink(portal, 'admin@initech.test')
  expect((await signInAs(portal, 'admin@initech.test', 'initech-admin')).body).toMatchObject({ session: 'admin' })
  expect(await portal.owner.selectFrom('provider_identity').select('subject').execute()).toEqual([
    { subject: 'initech-admin' },
  ])
})

test('mails the link again to a renamed user who has not confirmed the new address, and creates no user', async () => {
  await addPortalUser('old@initech.test', 'user', initech)
  await requestAddress('old@initech.test', 'new@initech.test')
  await portal.owner.updateTable('identity_provider').set({ admins_need_second_factor: true }).execute()
  await person('renamed', 'new@initech.test', { amr: ['pwd'] })
  const { body } = await signInAs(portal, 'new@initech.test', 'renamed')
  expect([body.outcome, body.message]).toEqual([
    'unconfirmed',
    'We have mailed old@initech.test a link. Open it to confirm your new address, then sign in again.',
  ])
  expect(await accountOf('new@initech.test')).toBeUndefined()
  expect(await confirmationMails()).toBe(1)
  await signInAs(portal, 'new@initech.test', 'renamed')
  expect(await confirmationMails()).toBe(1)
  await confirmLink(portal, 'old@initech.test', 'address')
  expect((await signInAs(portal, 'new@initech.test', 'renamed')).body).toMatchObject({ session: 'user' })
})

test('mails the link to an admin again, but not at each sign-in', async () => {
  await addPortalUser('admin@initech.test', 'admin', initech)
  const signIn = () => signInAs(portal, 'admin@initech.test', 'initech-admin')
  for (const [ahead, mails] of [
    [0, 1],
    [60, 1],
    [700, 2],
    [760, 2],
  ] as const) {
    await setPortalClock(portal.owner, { ahead })
    expect((await signIn()).body.outcome).toBe('unconfirmed')
    expect([ahead, await confirmationMails()]).toEqual([ahead, mails])
  }
  await confirmLink(portal, 'admin@initech.test')
  expect((await signIn()).body).toMatchObject({ session: 'admin' })
})

test('an admin’s link is void once the user has another address or the organisation another provider', async () => {
  await addPortalUser('moving@initech.test', 'admin', initech)
  await addPortalUser('staying@initech.test', 'admin', initech)
  for (const name of ['moving', 'staying']) {
    await person(name, `${name}@initech.test`)
    expect((await signInAs(portal, LEARNER, name)).body.outcome).toBe('unconfirmed')
  }
  await requestAddress('moving@initech.test', 'moved@initech.test')
  await confirmLink(portal, 'moving@initech.test', 'address')
  await expect(confirmLink(portal, 'moved@initech.test')).rejects.toThrow('no result')
  await portal.owner.updateTable('identity_provider').set({ issuer: 'https://other.test' }).execute()
  await expect(confirmLink(portal, 'staying@initech.test')).rejects.toThrow('no longer valid')
  await portal.owner.transaction().execute((tx) => removeProvider(tx, initech, null))
  await expect(confirmLink(portal, 'staying@initech.test')).rejects.toThrow('no result')
})

test('opens no session through a provider that is removed meanwhile', async () => {
  const { cookie, address } = await begin(portal, LEARNER)
  const answer = (await signInAtProvider(address, 'initech-learner')).search.slice(1)
  const pending = await portal.owner.transaction().execute(async (tx) => {
    await tx.selectFrom('organisation').select('id').where('id', '=', initech).forUpdate().execute()
    const finishing = finish(portal, answer, cookie)
    await untilWaitingForLock(portal.owner, 1)
    await removeProvider(tx, initech, null)
    return { finishing }
  })
  expect((await pending.finishing).status).toBe(403)
  expect(await sessions()).toBe(0)
})

test('a user whom a superadmin makes an admin confirms the link to the provider again', async () => {
  await addPortalUser(LEARNER, 'user', initech)
  await addPortalUser('root@portal.test', 'superadmin', null)
  await addPortalUser('second@initech.test', 'admin', initech)
  expect((await signInAs(portal, LEARNER, 'initech-learner')).body).toMatchObject({ session: 'user' })
  const uid = await portal.sessionOf('root@portal.test')
  await portal.request('PATCH', '/admin/users', { uid, body: { email: LEARNER, userType: 'admin' } })
  expect((await signInAs(portal, LEARNER, 'initech-learner')).body.outcome).toBe('unconfirmed')
  await confirmLink(portal, LEARNER)
  // No group of the provider takes the role that a superadmin gave.
  await mapGroups({ learners: 'user' })
  await person('initech-learner', LEARNER, { groups: ['learners'] })
  expect((await signInAs(portal, LEARNER, 'initech-learner')).body).toMatchObject({ session: 'admin' })
  const changes = portal.owner.selectFrom('audit').select('after').where('call', '=', 'providerSignIn.finish')
  expect(await changes.where('after', 'is not', null).execute()).toEqual([
    { after: { role: 'admin', refused: 'user', reason: 'not given by a group' } },
  ])
})

test('refuses a user in too many groups instead of treating them as a user without groups', async () => {
  await mapGroups({ leads: 'admin' })
  const groups = Array.from({ length: 201 }, (_, at) => `group-${at}`)
  await person('many', LEARNER, { groups: [...groups, 'leads'] })
  const { status, body } = await signInAs(portal, LEARNER, 'many')
  expect([status, body.message]).toEqual([403, expect.stringContaining('too many groups')])
  expect(await sessions()).toBe(0)
})

test('two concurrent first sign-ins use the same user', async () => {
  const begun = await Promise.all([begin(portal, LEARNER), begin(portal, LEARNER)])
  const answers = await Promise.all(begun.map(({ address }) => signInAtProvider(address, 'initech-learner')))
  const replies = await Promise.all(answers.map(({ search }, at) => finish(portal, search.slice(1), begun[at]!.cookie)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(await portal.owner.selectFrom('provider_identity').select('subject').execute()).toHaveLength(1)
})

test.each([
  ['of nobody', 'nobody@nowhere.test'],
  ['of an organisation without a provider', 'someone@other.test'],
  ['of a domain that is not verified', 'someone@unverified.test'],
  ['below a verified domain', 'someone@sub.initech.test'],
])('starts no sign-in for an e-mail %s', async (_what, email) => {
  await addOrganisation('Other')
  await portal.owner
    .insertInto('organisation_domain')
    .values({ organisation_id: initech, domain: 'unverified.test', verified_at: null, verified_by: null })
    .execute()
  const { status, cookies } = await start(portal, email)
  expect([status, cookies]).toEqual([404, []])
})

test('accepts a redirect once, only with its own state and in the browser that started it', async () => {
  const [ownSession, other] = [await begin(portal, LEARNER), await begin(portal, LEARNER)]
  const answer = (await signInAtProvider(ownSession.address, 'initech-learner')).search.slice(1)
  expect((await finish(portal, answer)).status).toBe(403)
  expect((await finish(portal, answer, 'made-up')).status).toBe(403)
  // The cookie of the other browser does not match the state. The attempt also consumes the sign-in of that browser.
  expect((await finish(portal, answer, other.cookie)).status).toBe(403)
  expect(await sessions()).toBe(0)

  const both = await Promise.all([finish(portal, answer, ownSession.cookie), finish(portal, answer, ownSession.cookie)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
  expect((await finish(portal, answer, ownSession.cookie)).status).toBe(403)
  expect(await sessions()).toBe(1)
})

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
])('rejects a redirect with %s and ends the sign-in', async (_what, modify) => {
  const { cookie, address } = await begin(portal, LEARNER)
  const answer = (await signInAtProvider(address, 'initech-learner')).searchParams
  const validAnswer = answer.toString()
  modify(answer)
  expect((await finish(portal, answer.toString(), cookie)).status).toBe(403)
  expect((await finish(portal, validAnswer, cookie)).status).toBe(403)
  expect(await sessions()).toBe(0)
})

test('rejects a code that was issued to another application', async () => {
  const { cookie, address } = await begin(portal, LEARNER)
  const otherHost = new URL(address)
  otherHost.searchParams.set('client_id', 'another-application')
  const answer = (await signInAtProvider(otherHost.href, 'initech-learner')).search.slice(1)
  expect((await finish(portal, answer, cookie)).status).toBe(403)
  expect(await sessions()).toBe(0)
})

test('rejects a code of another sign-in, which has another verifier', async () => {
  const [ownSession, victim] = [await begin(portal, LEARNER), await begin(portal, 'admin@initech.test')]
  const victimCallback = (await signInAtProvider(victim.address, 'initech-admin')).searchParams
  const answer = (await signInAtProvider(ownSession.address, 'initech-learner')).searchParams
  answer.set('code', victimCallback.get('code')!)
  expect((await finish(portal, answer.toString(), ownSession.cookie)).status).toBe(403)
  expect(await sessions()).toBe(0)
})

test.each([
  ['names another issuer', 'https://issuer.evil.test'],
  ['leaves out the issuer that the provider promises to name', null],
])('rejects a redirect that %s before sending its code', async (_what, issuer) => {
  const { cookie, address } = await begin(portal, LEARNER)
  const answer = (await signInAtProvider(address, 'initech-learner')).searchParams
  expect(answer.get('iss')).toMatch(/\/openid$/)
  if (issuer === null) answer.delete('iss')
  else answer.set('iss', issuer)
  await emulator.fault({ kind: 'serverError', operation: 'OpenId_Token' })
  expect((await finish(portal, answer.toString(), cookie)).status).toBe(403)
  expect(await sessions()).toBe(0)
})

test('expires a sign-in after ten minutes', async () => {
  const { cookie, address } = await begin(portal, LEARNER)
  const answer = (await signInAtProvider(address, 'initech-learner')).search.slice(1)
  await setPortalClock(portal.owner, { ahead: 601 })
  expect((await finish(portal, answer, cookie)).status).toBe(403)
})

test.each([
  ['wrongIssuer', /not from the configured issuer/],
  ['wrongAudience', /meant for another application/],
  ['otherNonce', /belongs to another sign-in/],
  ['unverifiedEmail', /does not confirm that the e-mail learner@initech.test is verified/],
  ['unsigned', /response is not valid/],
  ['signedWithSecret', /response is not valid/],
  ['signedByAnotherKey', /response is not valid/],
])('rejects an invalid ID token: %s', async (kind, sentence) => {
  await emulator.fault({ kind, operation: 'OpenId_Token' })
  const { status, body } = await signInAs(portal, LEARNER, 'initech-learner')
  expect([status, body.message]).toEqual([403, expect.stringMatching(sentence)])
  expect([await sessions(), await accountOf(LEARNER)]).toEqual([0, undefined])
})

test.each([
  ['clockAhead', 30, 200],
  ['clockAhead', 120, 403],
  ['expired', 30, 200],
  ['expired', 120, 403],
])('tolerates a clock difference of one minute: %s by %i s is answered with %i', async (kind, seconds, status) => {
  await emulator.fault({ kind, operation: 'OpenId_Token', seconds })
  expect((await signInAs(portal, LEARNER, 'initech-learner')).status).toBe(status)
})

test.each([
  ['of a domain that is not verified', 'ceo@acme.test'],
  ['of a domain below a verified one', 'ceo@sub.initech.test'],
  ['that is none', 'ceo'],
  ['that ends like a verified domain', 'ceo@notinitech.test'],
])('rejects an e-mail %s', async (_what, email) => {
  await person('speaks-for-others', email)
  expect((await signInAs(portal, LEARNER, 'speaks-for-others')).status).toBe(403)
  expect(await sessions()).toBe(0)
})

test('audits a rejected sign-in for the organisation with the e-mail the provider sent', async () => {
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

test('accepts email_verified and amr as strings, as providers with mapped claims send them', async () => {
  await portal.owner.updateTable('identity_provider').set({ admins_need_second_factor: true }).execute()
  await addPortalUser('mapped@initech.test', 'admin', initech)
  const signInStatus = async (emailVerified: string, amr: string) => {
    await person('mapped', 'mapped@initech.test', { emailVerified, amr })
    return (await signInAs(portal, LEARNER, 'mapped')).status
  }
  expect(await signInStatus('true', 'mfa')).toBe(200)
  await confirmLink(portal, 'mapped@initech.test')
  expect(await signInStatus('True', 'pwd mfa')).toBe(200)
  for (const verified of ['false', '', 'yes']) expect(await signInStatus(verified, 'mfa')).toBe(403)
  for (const amr of ['pwd', 'no-mfa']) expect(await signInStatus('true', amr)).toBe(403)
})

test('rejects a provider that does not send email_verified', async () => {
  await person('without-claim', 'without@initech.test', { emailVerified: null })
  expect((await signInAs(portal, LEARNER, 'without-claim')).status).toBe(403)
})

test('never links users of superadmins or of other organisations', async () => {
  await addPortalUser('boss@initech.test', 'superadmin', null)
  await addPortalUser('guest@initech.test', 'admin', await addOrganisation('Other'))
  await portal.owner
    .updateTable('portal_user')
    .set({ signed_in_at: new Date() })
    .where('email', '=', 'guest@initech.test')
    .execute()
  for (const name of ['boss', 'guest']) {
    await person(`takes-${name}`, `${name}@initech.test`)
    const { status, body } = await signInAs(portal, LEARNER, `takes-${name}`)
    expect([status, body.message]).toEqual([
      403,
      expect.stringContaining('cannot be used to sign in to this organisation'),
    ])
  }
  expect(await portal.owner.selectFrom('provider_identity').select('subject').execute()).toEqual([])
  const all = portal.owner.selectFrom('portal_user').select('id').where('role', '=', 'superadmin')
  const { id: user_id } = await all.executeTakeFirstOrThrow()
  const bound = { organisation_id: initech, issuer: 'https://a.test', subject: 'x', user_id }
  await expect(portal.owner.insertInto('provider_identity').values(bound).execute()).rejects.toThrow('foreign key')
})

test('takes over a user whom another organisation created and who never signed in', async () => {
  await addPortalUser('squatted@initech.test', 'admin', await addOrganisation('Other'))
  await person('squatted', 'squatted@initech.test')
  expect((await signInAs(portal, LEARNER, 'squatted')).body).toMatchObject({ session: 'user', organization: 'Initech' })
  expect(await accountOf('squatted@initech.test')).toMatchObject({ role: 'user', organisation_id: initech })
})

test('rejects superadmins of the organisation, linked earlier or not', async () => {
  const leadEmail = 'lead@initech.test'
  await addPortalUser('chief@initech.test', 'superadmin', initech)
  await person('takes-chief', 'chief@initech.test', { groups: ['leads'] })
  await person('rises', leadEmail)
  expect((await signInAs(portal, LEARNER, 'rises')).body).toMatchObject({ email: leadEmail, session: 'user' })
  await portal.owner.updateTable('portal_user').set({ role: 'superadmin' }).where('email', '=', leadEmail).execute()
  const before = await sessions()
  for (const subject of ['takes-chief', 'rises']) {
    const { status, body } = await signInAs(portal, LEARNER, subject)
    expect([status, body.message]).toEqual([403, expect.stringContaining('Superadmins log in with a password')])
  }
  expect(await sessions()).toBe(before)
  const bound = await portal.owner.selectFrom('provider_identity').select('subject').execute()
  expect(bound).toEqual([{ subject: 'rises' }])
})

test('identifies users by issuer and subject: accepts a changed e-mail, rejects a reused e-mail', async () => {
  await person('moves', 'before@initech.test')
  expect((await signInAs(portal, LEARNER, 'moves')).body).toMatchObject({ email: 'before@initech.test' })
  await person('moves', 'after@initech.test')
  expect((await signInAs(portal, LEARNER, 'moves')).body).toMatchObject({ email: 'before@initech.test' })
  expect(await accountOf('after@initech.test')).toBeUndefined()

  await person('newcomer', 'before@initech.test')
  const { status, body } = await signInAs(portal, LEARNER, 'newcomer')
  expect([status, body.message]).toEqual([403, expect.stringContaining('linked to another user')])
})

test('applies the groups’ role at each sign-in, at most admin', async () => {
  await mapGroups({ 'lab-admins': 'admin', learners: 'user' })
  expect((await signInAs(portal, LEARNER, 'initech-learner')).body).toMatchObject({ session: 'user' })
  const { body } = await signInAs(portal, 'admin@initech.test', 'initech-admin')
  expect(body).toMatchObject({ session: 'admin' })

  // The user is removed from the group. At the next sign-in the user becomes a learner, and sessions as an admin end.
  await addPortalUser('second@initech.test', 'admin', initech)
  await addPortalUser('root@portal.test', 'superadmin', null)
  await person('initech-admin', 'admin@initech.test', { groups: ['learners'] })
  expect((await signInAs(portal, 'admin@initech.test', 'initech-admin')).body).toMatchObject({ session: 'user' })
  expect((await portal.request('GET', '/user/me', { uid: body.uid })).status).toBe(401)
  expect(await accountOf('root@portal.test')).toMatchObject({ role: 'superadmin' })
  const changes = portal.owner.selectFrom('audit').select(['call', 'before', 'after']).where('before', 'is not', null)
  expect(await changes.execute()).toEqual([
    { call: 'providerSignIn.finish', before: { role: 'admin' }, after: { role: 'user' } },
  ])
  await person('initech-admin', 'admin@initech.test', { groups: ['lab-admins'] })

  const values = { organisation_id: initech, name: 'all', role: 'superadmin' as never }
  await expect(portal.owner.insertInto('identity_provider_group').values(values).execute()).rejects.toThrow('check')
})

test('a group that makes a user an admin ends the links that another provider of the organisation made', async () => {
  await addPortalUser(LEARNER, 'user', initech)
  await sql`
    insert into provider_identity (organisation_id, issuer, subject, user_id)
    select ${initech}, 'https://former.test', 'of an admin', id from portal_user where email = ${LEARNER}`.execute(
    portal.owner,
  )
  await mapGroups({ 'lab-admins': 'admin' })
  await person('initech-learner', LEARNER, { groups: ['lab-admins'] })
  expect((await signInAs(portal, LEARNER, 'initech-learner')).body).toMatchObject({ session: 'admin' })
  expect(await portal.owner.selectFrom('provider_identity').select('subject').execute()).toEqual([
    { subject: 'initech-learner' },
  ])
})

test('requires admins to use a second factor at the provider if the organisation requires it', async () => {
  const admin = 'lead@initech.test'
  const signInStatus = async (subject: string, email = admin) => (await signInAs(portal, email, subject)).status
  await addPortalUser(admin, 'admin', initech)
  const signInWith = (amr: unknown) => person('lead', admin, { groups: ['leads'], ...(amr !== undefined && { amr }) })
  await signInWith(['pwd'])
  expect(await signInStatus('lead')).toBe(200)
  await confirmLink(portal, admin)
  await portal.owner.updateTable('identity_provider').set({ admins_need_second_factor: true }).execute()
  for (const amr of [undefined, ['pwd'], ['otp'], ['MFA', 'mfa ']]) {
    await signInWith(amr)
    const refused = await signInAs(portal, admin, 'lead')
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('the claim amr must contain mfa'),
    ])
  }
  expect(await signInStatus('initech-learner', LEARNER)).toBe(200)
  await signInWith(['pwd', 'otp', 'mfa'])
  expect(await signInStatus('lead')).toBe(200)
  // A user who would become an admin by a group is rejected as well, and no account is created.
  await mapGroups({ leads: 'admin' })
  await person('riser', 'riser@initech.test', { groups: ['leads'], amr: ['pwd'] })
  expect(await signInStatus('riser', 'riser@initech.test')).toBe(403)
  expect(await accountOf('riser@initech.test')).toBeUndefined()
})

test.each(['serverError', 'dropConnection', 'malformed'])(
  'reports an unavailable provider and suggests the password: %s',
  async (kind) => {
    await emulator.fault({ kind, operation: 'OpenId_Discovery', times: 1 })
    const { status, body } = await start(portal, LEARNER)
    expect(status).toBe(503)
    expect(body.message).toMatch(
      /^Your organisation's sign-in is not available right now: .* log in with your password\.$/,
    )
    // The failure was not cached, so the next sign-in succeeds.
    expect((await start(portal, LEARNER)).status).toBe(200)
  },
)

test('does not suggest a password if the organisation does not allow passwords', async () => {
  await portal.owner.updateTable('identity_provider').set({ worked_at: new Date() }).execute()
  await portal.owner.updateTable('organisation').set({ passwords_allowed: false }).where('id', '=', initech).execute()
  await emulator.fault({ kind: 'serverError', operation: 'OpenId_Discovery', times: 1 })
  const { status, body } = await start(portal, LEARNER)
  expect(status).toBe(503)
  expect(body.message).toMatch(/Please try again shortly\.$/)
})

test('reports a provider that fails between two steps', async () => {
  await emulator.fault({ kind: 'dropConnection', operation: 'OpenId_Token' })
  expect((await signInAs(portal, LEARNER, 'initech-learner')).status).toBe(503)
})

test('stores no secret, code or token in the audit or the database', async () => {
  const { cookie, address } = await begin(portal, LEARNER)
  const answer = (await signInAtProvider(address, 'initech-learner')).searchParams
  expect((await finish(portal, answer.toString(), cookie)).status).toBe(200)
  const audit = JSON.stringify(await portal.owner.selectFrom('audit').selectAll().execute())
  expect(audit).toContain('providerSignIn.finish')
  for (const secret of [answer.get('code')!, answer.get('state')!, cookie]) expect(audit).not.toContain(secret)
  const begun = await begin(portal, LEARNER)
  const stored = await portal.owner.selectFrom('provider_sign_in').select('token_hash').execute()
  expect(stored.map(({ token_hash }) => token_hash.toString('base64url'))).not.toContain(begun.cookie)
})

test('sets a sign-in cookie that scripts and other sites cannot read', async () => {
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
])('rejects a malformed body, naming the field: %j', async (body, message) => {
  const reply = await portal.request('POST', '/sign-in/finish', { body })
  expect([reply.status, await reply.json()]).toEqual([400, expect.objectContaining({ message })])
})
