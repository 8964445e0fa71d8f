import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { confirmLink, setUpProvider, signInAs } from '../test/identity-providers.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { sharedEmulator } from '@trainyard/platform/test/shared.ts'

const emulator = await sharedEmulator()
let portal: TestPortal
let school: OrganisationId

const ADMIN = 'lead@school.test'
const SECOND = 'second@school.test'

beforeEach(async () => {
  portal = await startTestPortal(inject('testCluster'), emulator.settings)
  const added = portal.owner.insertInto('organisation').values({ name: 'School', logo: null }).returning('id')
  school = (await added.executeTakeFirstOrThrow()).id
  await add(ADMIN, 'admin')
  await add('learner@school.test', 'user')
})
afterEach(() => portal.close())

const add = (email: string, role: Role) =>
  portal.owner.insertInto('portal_user').values({ email, role, organisation_id: school, password_hash: null }).execute()
const roleOf = async (email: string) =>
  (await portal.owner.selectFrom('portal_user').select('role').where('email', '=', email).executeTakeFirst())?.role
const admins = async () =>
  (await portal.owner.selectFrom('portal_user').select('id').where('role', '=', 'admin').execute()).length

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
