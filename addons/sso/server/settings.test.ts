/** @module-tag full */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { signInAtProvider } from '@trainyard/platform/emulator/test/sign-in.ts'
import { startTestEmulator, type TestEmulator } from '@trainyard/platform/test/emulator.ts'
import { CLIENT, emulatedIssuer, finish, setUpProvider, signInAs, signInCookieOf } from '../test/identity-providers.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import {
  createSubjects,
  createSubjectsTemplate,
  MARKER,
  PEOPLE,
  type Subjects,
  type SubjectsTemplate,
} from '@trainyard/platform/test/world.ts'
import { hashPassword } from '@trainyard/users/server/passwords.ts'

let emulator: TestEmulator
let portal: TestPortal
let admin: string
let template: SubjectsTemplate

beforeAll(async () => {
  emulator = await startTestEmulator()
  template = await createSubjectsTemplate(inject('testCluster'), emulator.settings, createWithProviders)
})
afterAll(async () => {
  await emulator.stop()
  await template.database.drop()
})
beforeEach(async () => {
  portal = await startTestPortal(inject('testCluster'), emulator.settings, {}, template.database.name)
  admin = await portal.sessionOf(PEOPLE.admin)
})
afterEach(async () => {
  await emulator.clearFaults()
  await portal.close()
})

/** Creates subjects whose organisations have a provider and an unverified domain. */
async function createWithProviders(of: TestPortal): Promise<Subjects> {
  const subjects = await createSubjects(of)
  for (const [label, { organization }] of [
    ['own', subjects.own],
    [MARKER, subjects.foreign],
  ] as const) {
    const { id } = await of.owner
      .selectFrom('organisation')
      .select('id')
      .where('name', '=', organization)
      .executeTakeFirstOrThrow()
    await setUpProvider(of.owner, of, id, { domain: `${label}.test`, verified: false })
  }
  return subjects
}

const PROVIDER = '/admin/identity-provider'

async function send(method: string, path: string, body: object = {}, uid = admin) {
  const of = method === 'GET' ? { query: body } : { body }
  const reply = await portal.request(method, path, { uid, ...of })
  return { status: reply.status, body: await reply.json(), cookies: reply.headers.getSetCookie() }
}

const settings = (overrides: object = {}) => ({
  issuer: emulatedIssuer(portal),
  ...CLIENT,
  groupClaim: null,
  groups: [],
  signsOutThere: false,
  adminsNeedSecondFactor: false,
  ...overrides,
})

const publish = (name: string, texts: string[]) => emulator.control('POST', '/_dns', { name, texts })
const recordOf = async (domain: string, uid = admin, of: object = {}): Promise<string> => {
  const { body } = await send('GET', PROVIDER, of, uid)
  return body.domains.find((each: { domain: string }) => each.domain === domain).record
}

async function tryAs(subject: string) {
  const { body, cookies } = await send('POST', `${PROVIDER}/test`)
  expect(body).toMatchObject({ problem: null, found: [expect.stringContaining('responds'), 'It publishes 1 key.'] })
  const answer = (await signInAtProvider(body.address, subject)).search.slice(1)
  return finish(portal, answer, signInCookieOf(cookies))
}

test('never returns the client secret, and keeps the stored secret if none is given', async () => {
  const secret = 'a-secret-of-the-client'
  expect((await send('POST', PROVIDER, settings({ clientSecret: secret }))).status).toBe(200)
  const shown = await send('GET', PROVIDER)
  expect(shown.body.provider).toMatchObject({ issuer: emulatedIssuer(portal), clientId: 'trainyard', workedAt: null })
  const { clientSecret: _, ...without } = settings({ groupClaim: 'groups', groups: [{ group: 'a', role: 'admin' }] })
  expect((await send('POST', PROVIDER, without)).status).toBe(200)
  const replies = await Promise.all([
    portal.owner.selectFrom('identity_provider').selectAll().execute(),
    portal.owner.selectFrom('audit').selectAll().execute(),
    send('GET', PROVIDER),
  ])
  expect(JSON.stringify(replies)).toContain('identityProvider.save')
  expect(JSON.stringify(replies)).not.toContain(secret)
  expect(JSON.stringify(replies)).not.toContain(Buffer.from(secret).toString('base64'))
})

test('requires a new secret for another issuer or client', async () => {
  for (const other of [{ issuer: 'https://collects.example.com' }, { clientId: 'another' }]) {
    const { clientSecret: _, ...without } = settings(other)
    expect(await send('POST', PROVIDER, without)).toMatchObject({
      status: 400,
      body: { message: 'clientSecret is missing. A new issuer or client needs its own secret.' },
    })
  }
})

test.each([
  [{ issuer: 'http://login.example.com' }, /^issuer: /],
  [{ issuer: 'https://169.254.169.254/latest' }, /^issuer: .*private network/],
  [{ issuer: 'http://127.0.0.1:1/openid' }, /^issuer: /],
  [{ issuer: 'no address' }, /^issuer must be an address/],
  [{ clientId: '' }, /^clientId must not be empty/],
  [{ groups: [{ group: 'all', role: 'superadmin' }] }, /^groups \(item 1\).role must be one of user, admin/],
  [
    {
      groups: [
        { group: 'a', role: 'user' },
        { group: 'a', role: 'admin' },
      ],
    },
    /^groups must name each group once/,
  ],
  [{ passwordsAllowed: false }, /^passwordsAllowed is not a known field/],
])('rejects an invalid provider, naming the field: %j', async (more, message) => {
  const { status, body } = await send('POST', PROVIDER, settings(more))
  expect([status, body.message]).toEqual([400, expect.stringMatching(message)])
})

test('verifies a domain once its DNS contains the organisation’s record', async () => {
  const domain = 'own.test'
  expect((await send('POST', `${PROVIDER}/domains/verify`, { domain })).status).toBe(409)
  await publish(domain, ['v=spf1 -all', 'trainyard-verification=guessed'])
  expect((await send('POST', `${PROVIDER}/domains/verify`, { domain })).status).toBe(409)
  await publish(domain, ['v=spf1 -all', await recordOf(domain)])
  expect((await send('POST', `${PROVIDER}/domains/verify`, { domain })).status).toBe(200)
  expect((await send('GET', PROVIDER)).body.domains).toEqual([expect.objectContaining({ domain, verifiedBy: 'dns' })])
})

test("verifies a domain for one organisation only, and rejects another organisation's record", async () => {
  const domain = 'shared.test'
  const root = await portal.sessionOf(PEOPLE.superadmin)
  const foreign = await portal.sessionOf('admin@zqmark.test')
  for (const uid of [admin, foreign]) {
    expect((await send('POST', `${PROVIDER}/domains`, { domain: 'Shared.Test' }, uid)).status).toBe(200)
  }
  const records = [await recordOf(domain), await recordOf(domain, foreign)]
  expect(records[0]).not.toBe(records[1])
  await publish(domain, [records[1]!])
  expect((await send('POST', `${PROVIDER}/domains/verify`, { domain })).status).toBe(409)
  await publish(domain, records)
  const both = await Promise.all(
    [admin, foreign].map((uid) => send('POST', `${PROVIDER}/domains/verify`, { domain }, uid)),
  )
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  for (const organization of ['own school', 'zqmark school']) {
    const status = await send('POST', `${PROVIDER}/domains/confirm`, { organization, domain }, root)
    expect([200, 409]).toContain(status.status)
  }
  const verified = portal.owner.selectFrom('organisation_domain').select('domain').where('domain', '=', domain)
  expect(await verified.where('verified_at', 'is not', null).execute()).toHaveLength(1)
  // An organisation removes the domain while its record is still published. The other organisation keeps the domain.
  expect((await send('DELETE', `${PROVIDER}/domains`, { domain })).status).toBe(200)
  expect(await verified.execute()).toHaveLength(1)
  expect((await send('GET', PROVIDER)).body.domains).toMatchObject([{ domain: 'own.test' }])
  expect((await send('POST', `${PROVIDER}/domains/verify`, { domain })).status).toBe(404)
})

test('a test reports problems as sentences and opens no session', async () => {
  expect((await send('POST', PROVIDER, settings({ clientSecret: 'wrong' }))).status).toBe(200)
  expect((await tryAs('initech-admin')).body).toMatchObject({
    outcome: 'tested',
    works: false,
    found: ['The provider rejected the client ID or the client secret.'],
  })
  expect((await send('POST', PROVIDER, settings())).status).toBe(200)
  const foreign = await tryAs('initech-admin')
  expect(foreign.body.works).toBe(false)
  expect(foreign.body.found.at(-1)).toBe('The domain of admin@initech.test is not verified for your organisation.')
  expect(foreign.cookies.join()).not.toContain('trainyard_session')
  expect((await send('GET', PROVIDER)).body.provider.workedAt).toBeNull()

  await emulator.fault({ kind: 'wrongIssuer', operation: 'OpenId_Discovery' })
  const changed = settings({ clientSecret: 'read the description anew' })
  expect((await send('POST', PROVIDER, changed)).status).toBe(200)
  const found = (await send('POST', `${PROVIDER}/test`)).body
  expect(found).toMatchObject({ address: null, found: [], problem: expect.stringContaining('issuer') })
})

test('disables passwords only after a successful sign-in; then only superadmins can use a password', async () => {
  const password = 'a good long password'
  await portal.owner
    .updateTable('portal_user')
    .set({ password_hash: await hashPassword(password) })
    .execute()
  const security = (passwordsAllowed: boolean) => send('PATCH', '/admin/organization/security', { passwordsAllowed })
  const login = async (email: string, entered = password) =>
    portal.request('POST', '/user/login', { body: { email, password: entered } })
  expect((await security(false)).status).toBe(409)

  const root = await portal.sessionOf(PEOPLE.superadmin)
  const confirmed = { organization: 'own school', domain: 'own.test' }
  expect((await send('POST', `${PROVIDER}/domains/confirm`, confirmed, root)).status).toBe(200)
  await emulator.control('POST', '/_openid/people', { subject: 'own-admin', email: PEOPLE.admin, name: 'Own' })
  expect((await tryAs('own-admin')).body).toMatchObject({ works: true })
  expect((await security(false)).status).toBe(200)

  const refused = await login(PEOPLE.admin)
  expect(refused.status).toBe(403)
  expect(((await refused.json()) as { message: string }).message).toContain('Sign in with your organisation')
  // A wrong password gets the same reply as for every other account.
  expect((await login(PEOPLE.admin, 'wrong')).status).toBe(401)
  expect((await login(PEOPLE.superadmin)).status).toBe(200)
  // A superadmin who belongs to the organisation, as Create User allows, can still use a password.
  const { organisation_id } = await portal.owner
    .selectFrom('portal_user')
    .select('organisation_id')
    .where('email', '=', PEOPLE.admin)
    .executeTakeFirstOrThrow()
  const superadmins = portal.owner.updateTable('portal_user').where('email', '=', PEOPLE.superadmin)
  await superadmins.set({ organisation_id }).execute()
  expect((await login(PEOPLE.superadmin)).status).toBe(200)
  await superadmins.set({ organisation_id: null }).execute()
  expect((await signInAs(portal, PEOPLE.admin, 'own-admin')).status).toBe(200)

  // Changes that would lock out all users are rejected, but a new secret is accepted.
  expect((await send('DELETE', PROVIDER)).status).toBe(409)
  expect(await send('DELETE', `${PROVIDER}/domains`, { domain: 'own.test' })).toMatchObject({
    status: 409,
    body: { message: 'Users could no longer sign in. Allow sign-in with a password first.' },
  })
  await expect(portal.owner.updateTable('identity_provider').set({ worked_at: null }).execute()).rejects.toThrow(
    'organisation_relies_on_provider',
  )
  expect((await send('POST', PROVIDER, settings({ clientId: 'another' }))).status).toBe(409)
  expect((await send('POST', PROVIDER, settings())).status).toBe(200)
  expect((await security(true)).status).toBe(200)
  expect((await send('DELETE', `${PROVIDER}/domains`, { domain: 'own.test' })).status).toBe(200)
  expect(await security(false)).toMatchObject({ status: 409, body: { message: expect.stringContaining('a domain') } })
  expect((await send('POST', `${PROVIDER}/domains`, { domain: 'own.test' })).status).toBe(200)
  expect((await send('DELETE', PROVIDER)).status).toBe(200)
  expect((await login(PEOPLE.admin)).status).toBe(200)
})

test('ends the sessions of other users that a former provider or a forbidden password opened', async () => {
  const root = await portal.sessionOf(PEOPLE.superadmin)
  expect((await send('POST', PROVIDER, settings())).status).toBe(200)
  expect((await send('POST', `${PROVIDER}/domains`, { domain: 'own.test' })).status).toBe(200)
  const confirmed = { organization: 'own school', domain: 'own.test' }
  expect((await send('POST', `${PROVIDER}/domains/confirm`, confirmed, root)).status).toBe(200)
  await emulator.control('POST', '/_openid/people', { subject: 'guest', email: 'guest@own.test', name: 'Guest' })
  const signIn = async () => (await signInAs(portal, 'guest@own.test', 'guest')).body.uid as string
  const state = async (...uids: string[]) =>
    Promise.all([admin, ...uids].map(async (uid) => (await portal.request('GET', '/user/me', { uid })).status))
  const changes = [
    () => send('POST', PROVIDER, settings({ clientId: 'another' })),
    () => send('DELETE', PROVIDER),
  ] as const
  for (const change of changes) {
    expect((await send('POST', PROVIDER, settings())).status).toBe(200)
    const guest = await signIn()
    const withPassword = await portal.sessionOf('guest@own.test')
    expect(await state(guest, withPassword)).toEqual([200, 200, 200])
    expect((await change()).status).toBe(200)
    expect(await state(guest, withPassword)).toEqual([200, 401, 200])
  }
  expect((await send('POST', PROVIDER, settings())).status).toBe(200)
  const guest = await signIn()
  const withPassword = await portal.sessionOf('guest@own.test')
  expect((await send('PATCH', '/admin/organization/security', { passwordsAllowed: false })).status).toBe(200)
  expect(await state(guest, withPassword)).toEqual([200, 200, 401])
})

test('ends the sessions of users of a removed domain, and of admins who must now use a second factor', async () => {
  const root = await portal.sessionOf(PEOPLE.superadmin)
  expect((await send('POST', PROVIDER, settings())).status).toBe(200)
  for (const domain of ['own.test', 'former.test']) {
    expect((await send('POST', `${PROVIDER}/domains`, { domain })).status).toBe(200)
    const confirmed = { organization: 'own school', domain }
    expect((await send('POST', `${PROVIDER}/domains/confirm`, confirmed, root)).status).toBe(200)
  }
  const signIn = async (subject: string, email: string): Promise<string> => {
    await emulator.control('POST', '/_openid/people', { subject, email, name: subject })
    return (await signInAs(portal, email, subject)).body.uid
  }
  const users = [await signIn('guest', 'guest@own.test'), await signIn('gone', 'gone@former.test')]
  const chief = await signIn('chief', 'chief@own.test')
  await portal.owner.updateTable('portal_user').set({ role: 'admin' }).where('email', '=', 'chief@own.test').execute()
  const state = async () =>
    Promise.all([admin, ...users, chief].map(async (uid) => (await portal.request('GET', '/user/me', { uid })).status))
  expect((await send('DELETE', `${PROVIDER}/domains`, { domain: 'former.test' })).status).toBe(200)
  expect(await state()).toEqual([200, 200, 401, 200])
  expect((await send('POST', PROVIDER, settings({ adminsNeedSecondFactor: true }))).status).toBe(200)
  expect(await state()).toEqual([200, 200, 401, 401])
})

test('a provider required to report second factors must do so before passwords can be disabled', async () => {
  expect((await send('POST', PROVIDER, settings())).status).toBe(200)
  expect((await send('POST', `${PROVIDER}/domains`, { domain: 'own.test' })).status).toBe(200)
  const root = await portal.sessionOf(PEOPLE.superadmin)
  const confirmed = { organization: 'own school', domain: 'own.test' }
  expect((await send('POST', `${PROVIDER}/domains/confirm`, confirmed, root)).status).toBe(200)
  const confirmsSecondFactor = (amr: string[]) =>
    emulator.control('POST', '/_openid/people', { subject: 'own-lead', email: PEOPLE.admin, name: 'Own', amr })
  const hasWorked = async () => (await send('GET', PROVIDER)).body.provider.workedAt !== null
  const withoutPasswords = { organization: 'own school', passwordsAllowed: false }
  const switchOff = async () => (await send('PATCH', '/admin/organization/security', withoutPasswords, root)).status

  await confirmsSecondFactor(['pwd'])
  expect((await tryAs('own-lead')).body).toMatchObject({ works: true })
  expect(await hasWorked()).toBe(true)
  expect((await send('POST', PROVIDER, settings({ adminsNeedSecondFactor: true }))).status).toBe(200)
  expect(await hasWorked()).toBe(false)
  // The provider lets a learner sign in without a second factor, which does not prove that admins use one.
  await emulator.control('POST', '/_openid/people', { subject: 'own-learner', email: PEOPLE.user, name: 'Own' })
  expect((await signInAs(portal, PEOPLE.user, 'own-learner')).status).toBe(200)
  expect((await tryAs('own-lead')).body.found).toContain(
    'The provider does not confirm a second factor (mfa in the claim amr): admins cannot sign in like this.',
  )
  expect(await hasWorked()).toBe(false)
  expect(await switchOff()).toBe(409)

  await confirmsSecondFactor(['pwd', 'mfa'])
  expect((await tryAs('own-lead')).body).toMatchObject({ works: true })
  expect(await switchOff()).toBe(200)
  admin = await portal.sessionOf(PEOPLE.admin)
  // While passwords are disabled, the requirement can be removed but not added.
  expect((await send('POST', PROVIDER, settings())).status).toBe(200)
  expect(await send('POST', PROVIDER, settings({ adminsNeedSecondFactor: true }))).toMatchObject({
    status: 409,
    body: { message: 'Users could no longer sign in. Allow sign-in with a password first.' },
  })
})

test('an admin of another organisation can neither read nor change the provider', async () => {
  const foreign = await portal.sessionOf('admin@zqmark.test')
  const organization = 'own school'
  for (const [method, path, body] of [
    ['GET', PROVIDER, {}],
    ['POST', PROVIDER, settings()],
    ['DELETE', PROVIDER, {}],
    ['POST', `${PROVIDER}/test`, {}],
    ['POST', `${PROVIDER}/domains`, { domain: 'evil.test' }],
    ['DELETE', `${PROVIDER}/domains`, { domain: 'own.test' }],
  ] as const) {
    expect((await send(method, path, { organization, ...body }, foreign)).status).toBe(404)
  }
  expect((await send('GET', PROVIDER)).body).toMatchObject({
    provider: { clientId: 'trainyard' },
    domains: [{ domain: 'own.test', verifiedBy: null }],
  })
})

test('an organisation has at most 50 domains, also if several are added concurrently', async () => {
  // The organisation already has one domain.
  const { id } = await portal.owner
    .selectFrom('organisation')
    .select('id')
    .where('name', '=', 'own school')
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: 48 }, (_, n) => ({
    organisation_id: id,
    domain: `filler${n}.test`,
    verified_at: null,
    verified_by: null,
  }))
  await portal.owner.insertInto('organisation_domain').values(rows).execute()
  const added = await Promise.all(
    ['one', 'two', 'three', 'four'].map((name) => send('POST', `${PROVIDER}/domains`, { domain: `${name}.test` })),
  )
  expect(added.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
})

test('an organisation whose provider has worked can refuse passwords', async () => {
  await portal.owner.updateTable('identity_provider').set({ worked_at: new Date() }).execute()
  await portal.owner.updateTable('organisation_domain').set({ verified_at: new Date(), verified_by: 'dns' }).execute()
  const change = (passwordsAllowed: boolean) =>
    send('PATCH', '/admin/organization/security', { idleMinutes: 5, passwordsAllowed })
  const saved = async () => (await send('GET', '/admin/organization/settings')).body.security
  expect((await change(false)).status).toBe(200)
  expect(await saved()).toMatchObject({ idleMinutes: 5, passwordsAllowed: false })
  expect((await change(true)).status).toBe(200)
  expect(await saved()).toMatchObject({ passwordsAllowed: true })
})

test('removes the domains of a removed organisation', async () => {
  await sql`update machine set desired = 'gone', observed = 'absent', admin_password = null, reconcile_at = null,
    command = null, command_at = null, quota_ends_at = null, terminated_at = portal_now()`.execute(portal.owner)
  const root = await portal.sessionOf(PEOPLE.superadmin)
  const { organization } = template.own
  expect((await send('DELETE', '/admin/organization', { organization }, root)).status).toBe(200)
  const domains = await portal.owner.selectFrom('organisation_domain').select('domain').execute()
  expect(domains).toEqual([{ domain: `${MARKER}.test` }])
})
