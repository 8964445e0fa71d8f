import { expect, test } from 'vitest'
import { createSubjects, PEOPLE } from '../../test/world.ts'
import { sharedPortal } from '../../test/shared.ts'

const portal = await sharedPortal()
const { own } = await createSubjects(portal)
const admin = await portal.sessionOf(PEOPLE.admin)
const root = await portal.sessionOf(PEOPLE.superadmin)

const order = (key: string, learner: string, uid = admin) =>
  portal.request('POST', '/azure/machines', {
    uid,
    headers: { 'idempotency-key': key },
    body: {
      organization: own.organization,
      templateName: own.template,
      email: [learner],
      trainingName: own.trainingName,
      allocatedHours: null,
      createVmCount: 1,
      guacamole: false,
    },
  })

const machinesOf = async (email: string) =>
  (await portal.app.db.selectFrom('machine').select('id').where('email', '=', email).execute()).length
const audited = async (call: string) =>
  portal.app.db.selectFrom('audit').selectAll().where('call', '=', call).orderBy('id').execute()

test('repeats the first reply for the same key and body, with one effect and one audit row', async () => {
  const [first, again] = [await order('one', 'one@own.test'), await order('one', 'one@own.test')]
  expect([first.status, again.status]).toEqual([200, 200])
  expect(await again.text()).toBe(await first.text())
  expect(await machinesOf('one@own.test')).toBe(1)
  expect((await audited('machine.order')).length).toBe(1)
})

test('gives ten concurrent calls one effect and identical replies', async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, () => order('ten', 'ten@own.test')))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(await Promise.all(replies.map((reply) => reply.text()))).size).toBe(1)
  expect(await machinesOf('ten@own.test')).toBe(1)
})

test('rejects another body or call with the same key, and keeps the keys of users separate', async () => {
  await order('mine', 'mine@own.test')
  expect((await order('mine', 'other@own.test')).status).toBe(422)
  expect(await machinesOf('other@own.test')).toBe(0)
  expect((await order('mine', 'theirs@own.test', root)).status).toBe(200)
  const other = await portal.request('POST', '/admin/organization', {
    uid: root,
    headers: { 'idempotency-key': 'mine' },
    body: { organization: 'third school' },
  })
  expect(other.status).toBe(422)
})

test('stores no reply for a refused call, so that the key can be used again', async () => {
  const create = (organization: string) =>
    portal.request('POST', '/admin/organization', {
      uid: root,
      headers: { 'idempotency-key': 'retry' },
      body: { organization },
    })
  expect((await create(own.organization.toUpperCase())).status).toBe(409)
  expect((await create('fourth school')).status).toBe(200)
  const long = await portal.request('POST', '/admin/organization', {
    uid: root,
    headers: { 'idempotency-key': 'x'.repeat(129) },
    body: { organization: 'fifth school' },
  })
  expect(long.status).toBe(400)
})

test('stores no secrets in replies or audit rows, and audits actor, address and call', async () => {
  const before = (await audited('user.create')).length
  const reply = await portal.request('POST', '/admin/users', {
    uid: root,
    headers: { 'idempotency-key': 'secret' },
    body: { email: 'secret@own.test', password: 'xyzzy plugh', organization: own.organization, userType: 'user' },
  })
  expect(reply.status).toBe(200)
  const rows = await audited('user.create')
  expect(rows.length).toBe(before + 1)
  expect(rows.at(-1)).toMatchObject({ actor_email: PEOPLE.superadmin, actor_role: 'superadmin' })
  expect(JSON.stringify(rows.at(-1)!.detail)).toContain('secret@own.test')
  const storedReplies = await portal.app.db.selectFrom('stored_reply').selectAll().execute()
  expect(JSON.stringify([rows, storedReplies])).not.toContain('xyzzy')
})

test('leaves no audit row for a conflicting change, and the app login cannot change audit rows', async () => {
  const before = (await audited('organisation.create')).length
  const again = await portal.request('POST', '/admin/organization', {
    uid: root,
    body: { organization: own.organization },
  })
  expect(again.status).toBe(409)
  expect((await audited('organisation.create')).length).toBe(before)
  await expect(portal.app.db.deleteFrom('audit').execute()).rejects.toThrow(/permission denied/)
  await expect(portal.app.db.updateTable('audit').set({ call: 'x' }).execute()).rejects.toThrow(/permission denied/)
})

test('sends every reply with Cache-Control: no-store', async () => {
  const login = { email: PEOPLE.superadmin, password: 'wrong' }
  for (const reply of [
    await portal.request('GET', '/user/me', { uid: root }),
    await portal.request('GET', '/azure/machines', { uid: admin, query: { trainingName: own.trainingName } }),
    await portal.request('POST', '/remote/ticket', { uid: admin, body: { vmName: own.machine.name } }),
    await portal.request('POST', '/user/login', { body: login }),
    await portal.request('GET', '/user/me'),
  ]) {
    expect([reply.url, reply.headers.get('cache-control')]).toEqual([reply.url, 'no-store'])
  }
})
