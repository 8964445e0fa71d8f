import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { createSuperadmin } from './create-superadmin.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())

const create = (email: string) =>
  createSuperadmin(portal.app.db, portal.app.seal, { email, publicUrl: 'https://labs.test' })
const accounts = () =>
  portal.app.db.selectFrom('portal_user').select(['email', 'role', 'organisation_id']).orderBy('email').execute()
const audited = async () =>
  (await portal.app.db.selectFrom('audit').select('call').where('call', '=', 'operator.superadmin').execute()).length

test('creates a superadmin once and returns a link for each call', async () => {
  const before = await accounts()
  expect(await create(' Root@Labs.test ')).toMatch(/^https:\/\/labs\.test\//)
  const created = { email: 'root@labs.test', role: 'superadmin', organisation_id: null }
  expect(await accounts()).toEqual([...before, created].toSorted((a, b) => (a.email < b.email ? -1 : 1)))
  expect(await create('root@labs.test')).toMatch(/^https:\/\/labs\.test\//)
  expect(await accounts()).toHaveLength(before.length + 1)
  expect(await audited()).toBe(2)
})

test('rejects an invalid e-mail and an e-mail of another user', async () => {
  await expect(create('root')).rejects.toThrow('root is not an e-mail address such as name@example.com.')
  const { id } = await portal.owner
    .insertInto('organisation')
    .values({ name: 'Acme', time_zone: 'Asia/Kolkata', logo: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await portal.owner
    .insertInto('portal_user')
    .values({ email: 'admin@acme.test', role: 'admin', organisation_id: id, password_hash: null })
    .execute()
  await expect(create('admin@acme.test')).rejects.toThrow("that is not a superadmin's.")
  expect((await accounts()).find(({ email }) => email === 'admin@acme.test')?.role).toBe('admin')
  expect(await audited()).toBe(2)
})
