import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createSubjectsTemplate, PEOPLE, type Subject, type SubjectsTemplate } from '@trainyard/platform/test/world.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'

let portal: TestPortal
let own: Subject
let root: string

let template: SubjectsTemplate
beforeAll(async () => {
  template = await createSubjectsTemplate(inject('testCluster'))
})
afterAll(() => template.database.drop())
beforeEach(async () => {
  portal = await startTestPortal(inject('testCluster'), {}, {}, template.database.name)
  own = template.own
  root = await portal.sessionOf(PEOPLE.superadmin)
})
afterEach(() => portal.close())

const send = async (method: string, path: string, body?: unknown) => {
  const reply = await portal.request(method, `/admin${path}`, { uid: root, body })
  return { status: reply.status, ...((await reply.json()) as { message: string; organization?: string[] }) }
}
const terminateAll = () =>
  sql`update machine set desired = 'gone', observed = 'absent', admin_password = null, reconcile_at = null,
    command = null, command_at = null, quota_ends_at = null, terminated_at = portal_now()`.execute(portal.owner)

test('removes an organisation without live machines, its users and sessions, but keeps its history', async () => {
  const admin = await portal.sessionOf(PEOPLE.admin)
  const refused = await send('DELETE', '/organization', { organization: own.organization })
  expect(refused).toMatchObject({ status: 409 })
  expect(refused.message).toBe('own school still has a live machine. Delete its trainings first.')

  await terminateAll()
  expect(await send('DELETE', '/organization', { organization: 'OWN school' })).toMatchObject({
    status: 200,
    message: 'Organisation own school deleted.',
  })
  expect((await portal.request('GET', '/user/me', { uid: admin })).status).toBe(401)
  expect(await send('DELETE', '/organization', { organization: own.organization })).toMatchObject({ status: 404 })
  const { db } = portal.app
  expect(await db.selectFrom('machine').select('id').where('name', '=', own.machine.name).execute()).toHaveLength(1)
  expect(await db.selectFrom('run').select('id').execute()).toHaveLength(2)
  // The name can be reused.
  expect(await send('POST', '/organization', { organization: own.organization })).toMatchObject({ status: 200 })
})

test('orders and removals at the same time leave either the organisation or nothing', async () => {
  await terminateAll()
  const admin = await portal.sessionOf(PEOPLE.admin)
  const body = {
    templateName: own.template,
    email: [own.newEmail],
    trainingName: 'late',
    allocatedHours: null,
    createVmCount: 1,
    guacamole: false,
  }
  const [order, ...removals] = await Promise.all([
    portal.request('POST', '/azure/machines', { uid: admin, body }),
    ...Array.from({ length: 4 }, () => send('DELETE', '/organization', { organization: own.organization })),
  ])
  const removed = removals.filter(({ status }) => status === 200).length
  expect([order.status === 200, removed]).toEqual(order.status === 200 ? [true, 0] : [false, 1])
})

test('compares names and e-mails without case', async () => {
  expect(await send('POST', '/organization', { organization: 'Own School' })).toMatchObject({ status: 409 })
  const user = { email: 'LEARNER@own.test', password: 'long enough', organization: own.organization, userType: 'admin' }
  expect(await send('POST', '/users', user)).toMatchObject({
    status: 409,
    message: 'There is already a user with the e-mail learner@own.test.',
  })
  expect(await send('POST', '/assignTemplate', { organization: 'OWN SCHOOL', template: 'Own Template' })).toMatchObject(
    {
      status: 409,
      message: 'own school already has the template own template.',
    },
  )
})

test('rejects a new name that is invisible or looks like another name', async () => {
  const answersTo = (...names: string[]) =>
    Promise.all(names.map(async (organization) => (await send('POST', '/organization', { organization })).message))
  const spaces = 'organization must have single, plain spaces between its words.'
  expect(await answersTo('own  school', 'own\u00A0school')).toEqual([spaces, spaces])
  const unseen = 'organization must not contain invisible characters.'
  expect(await answersTo('own\u200B school', 'own\u200D school', '\u202Eloohcs nwo', '\u3164')).toEqual([
    unseen,
    unseen,
    unseen,
    unseen,
  ])
  expect(await send('POST', '/organization', { organization: 'Caf\u00E9' })).toMatchObject({ status: 200 })
  // The name equals the previous one, but has the accent as a combining character.
  expect(await send('POST', '/organization', { organization: 'Cafe\u0301' })).toMatchObject({ status: 409 })
  // The name is in full width.
  expect(await send('POST', '/organization', { organization: '\uFF23af\u00E9' })).toMatchObject({ status: 409 })
  // Joiners are allowed in scripts and emoji that need them.
  const joined = ['क्\u200Dष विद्यालय', 'می\u200Cخواهم', '👩\u200D🏫 School']
  await answersTo(...joined)
  expect((await send('GET', '/organization')).organization).toEqual(expect.arrayContaining(joined))
})

test('creates only one of two organisations that are requested concurrently with the same name', async () => {
  const both = await Promise.all(
    ['Twin', 'TWIN'].map((organization) => send('POST', '/organization', { organization })),
  )
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
})

test('keeps the last superadmin, even if two delete each other concurrently', async () => {
  const second = await portal.sessionOf('second@portal.test')
  const remove = (uid: string, email: string) =>
    portal.request('DELETE', '/admin/users', { uid, body: { email, organization: null } })
  const both = await Promise.all([remove(root, 'second@portal.test'), remove(second, PEOPLE.superadmin)])
  const remaining = await portal.app.db
    .selectFrom('portal_user')
    .select('email')
    .where('role', '=', 'superadmin')
    .execute()
  expect(remaining).toHaveLength(1)
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
  const last = await remove(await portal.sessionOf(remaining[0]!.email), remaining[0]!.email)
  expect(last.status).toBe(409)
  expect(((await last.json()) as { error: string }).error).toBe('The last superadmin can not be deleted.')
})

test('deletes a user only with the matching organisation', async () => {
  const body = { email: own.email, organization: 'zqmark school' }
  expect(await send('DELETE', '/users', body)).toMatchObject({ status: 404 })
  expect(await send('DELETE', '/users', { ...body, organization: own.organization })).toMatchObject({ status: 200 })
})
