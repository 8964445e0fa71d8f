import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { confirmLink, setUpProvider, signInAs } from '@trainyard/platform/test/identity-providers.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { sharedEmulator } from '@trainyard/platform/test/shared.ts'
import { activeAdmins } from './admins.ts'

const emulator = await sharedEmulator()
let portal: TestPortal
let school: OrganisationId
let root: string

const ADMIN = 'lead@school.test'
const SECOND = 'second@school.test'
const LEARNER = 'learner@school.test'
const REFUSED = /^School must keep an admin\. Give another user of School the access level admin first\.$/

beforeEach(async () => {
  portal = await startTestPortal(inject('testCluster'), emulator.settings)
  const added = portal.owner.insertInto('organisation').values({ name: 'School', logo: null }).returning('id')
  school = (await added.executeTakeFirstOrThrow()).id
  await add('root@portal.test', 'superadmin', null)
  root = await portal.sessionOf('root@portal.test')
  await add(ADMIN, 'admin')
  await add(LEARNER, 'user')
})
afterEach(() => portal.close())

const add = (email: string, role: Role, organisation_id: OrganisationId | null = school) =>
  portal.owner.insertInto('portal_user').values({ email, role, organisation_id, password_hash: null }).execute()
const roleOf = async (email: string) =>
  (await portal.owner.selectFrom('portal_user').select('role').where('email', '=', email).executeTakeFirst())?.role
const admins = async () =>
  (await portal.owner.selectFrom('portal_user').select('id').where('role', '=', 'admin').execute()).length
async function send(method: string, body: object, uid = root) {
  const reply = await portal.request(method, '/admin/users', { uid, body })
  return { status: reply.status, message: ((await reply.json()) as { message: string }).message }
}
const demote = (email: string, uid = root) => send('PATCH', { email, userType: 'user' }, uid)
const remove = (email: string, uid = root) => send('DELETE', { email, organization: 'School' }, uid)

async function mapGroups() {
  await setUpProvider(portal.owner, portal, school, { domain: 'school.test' })
  await portal.owner.updateTable('identity_provider').set({ group_claim: 'groups' }).execute()
  await portal.owner
    .insertInto('identity_provider_group')
    .values([
      { organisation_id: school, name: 'learners', role: 'user' },
      { organisation_id: school, name: 'leads', role: 'admin' },
    ])
    .execute()
}
/** Adds an admin whose role a group of the provider gave. */
async function addByGroup(email: string) {
  await portal.owner.deleteFrom('portal_user').where('email', '=', email).execute()
  expect((await signInInGroup(email, 'leads')).body).toMatchObject({ session: 'admin' })
}
async function signInInGroup(email: string, group: string) {
  await emulator.control('POST', '/_openid/people', { subject: email, email, name: email, groups: [group] })
  return signInAs(portal, email, email)
}

test('a mapped group does not demote the last admin of an organisation', async () => {
  await mapGroups()
  await addByGroup(ADMIN)
  expect((await signInInGroup(ADMIN, 'learners')).body).toMatchObject({ outcome: 'entered', session: 'admin' })
  expect(await roleOf(ADMIN)).toBe('admin')
  const auditRows = portal.owner
    .selectFrom('audit')
    .select(['before', 'after'])
    .where('call', '=', 'providerSignIn.finish')
    .where('before', 'is not', null)
  expect(await auditRows.execute()).toEqual([
    { before: { role: 'admin' }, after: { role: 'admin', refused: 'user', reason: 'last admin' } },
  ])

  await addByGroup(SECOND)
  expect((await signInInGroup(ADMIN, 'learners')).body).toMatchObject({ session: 'user' })
  expect((await signInInGroup(SECOND, 'learners')).body).toMatchObject({ session: 'admin' })
})

test('a user who leaves all mapped groups loses a level that a group gave, but not one that a superadmin gave', async () => {
  await mapGroups()
  await addByGroup(SECOND)
  expect((await signInInGroup(SECOND, 'others')).body).toMatchObject({ session: 'user' })
  expect((await signInInGroup(ADMIN, 'others')).body).toMatchObject({ outcome: 'unconfirmed' })
  await confirmLink(portal, ADMIN)
  await add('third@school.test', 'admin')
  expect((await signInInGroup(ADMIN, 'others')).body).toMatchObject({ session: 'admin' })
})

test('mapped groups keep one of two admins who sign in concurrently', async () => {
  await mapGroups()
  await addByGroup(ADMIN)
  await addByGroup(SECOND)
  const both = await Promise.all([signInInGroup(ADMIN, 'learners'), signInInGroup(SECOND, 'learners')])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(await admins()).toBe(1)
})

test('the last admin of an organisation can be neither demoted nor deleted', async () => {
  for (const attempt of [demote, remove]) {
    expect(await attempt(ADMIN)).toEqual({ status: 409, message: expect.stringMatching(REFUSED) })
  }
  expect(await roleOf(ADMIN)).toBe('admin')
  await add(SECOND, 'admin')
  expect((await remove(ADMIN)).status).toBe(200)
  expect((await demote(SECOND)).status).toBe(409)
})

test.each([
  ['demoted', demote],
  ['deleted', remove],
] as const)('one of two admins who are %s concurrently remains', async (_what, attempt) => {
  await add(SECOND, 'admin')
  const both = await Promise.all([attempt(ADMIN), attempt(SECOND)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(await admins()).toBe(1)
})

test('a superadmin of the organisation counts as an admin and cannot be removed as the last admin', async () => {
  await add('chief@school.test', 'superadmin')
  expect((await demote(ADMIN)).status).toBe(200)
  expect(await remove('chief@school.test')).toEqual({ status: 409, message: expect.stringMatching(REFUSED) })
  expect((await demote('chief@school.test')).status).toBe(409)
})

test('the only user of an organisation can be deleted, and the last admin can become a superadmin', async () => {
  expect((await remove(LEARNER)).status).toBe(200)
  expect((await remove(ADMIN)).status).toBe(200)
  await add(ADMIN, 'admin')
  await add(LEARNER, 'user')
  expect((await send('PATCH', { email: ADMIN, userType: 'superadmin' })).status).toBe(200)
})

test('deactivated admins receive no notices of the organisation', async () => {
  await add(SECOND, 'admin')
  await portal.owner
    .updateTable('portal_user')
    .set({ deactivated_at: new Date() })
    .where('email', '=', SECOND)
    .execute()
  expect((await activeAdmins(portal.app.db, school)).map(({ email }) => email)).toEqual([ADMIN])
})
