import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { activeAdmins } from './admins.ts'

let portal: TestPortal
let school: OrganisationId
let root: string

const ADMIN = 'lead@school.test'
const SECOND = 'second@school.test'
const LEARNER = 'learner@school.test'
const REFUSED = /^School must keep an admin\. Give another user of School the access level admin first\.$/

beforeEach(async () => {
  portal = await startTestPortal(inject('testCluster'))
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
