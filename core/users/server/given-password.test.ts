import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'

const ADMIN_SET_PASSWORD = 'given by somebody'
const CHOSEN = 'quite another one'
let portal: TestPortal

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  const { db } = portal.app
  await db
    .insertInto('organisation')
    .values([
      { name: 'Strict', logo: null, password_change_required: true },
      { name: 'Lenient', logo: null },
    ])
    .execute()
  await db
    .insertInto('portal_user')
    .values({ email: 'root@portal.test', role: 'superadmin', organisation_id: null, password_hash: null })
    .execute()
})
afterAll(() => portal.close())

/** Creates a user with a password as a superadmin and signs in as that user. */
async function createUserWithPassword(email: string, organization: string): Promise<string> {
  const uid = await portal.sessionOf('root@portal.test')
  const body = { email, organization, password: ADMIN_SET_PASSWORD, userType: 'admin' }
  expect((await portal.request('POST', '/admin/users', { uid, body })).status).toBe(200)
  const reply = await portal.request('POST', '/user/login', { body: { email, password: ADMIN_SET_PASSWORD } })
  expect(reply.status).toBe(200)
  return ((await reply.json()) as { uid: string }).uid
}
const get = (path: string, uid: string) => portal.request('GET', path, { uid })
const change = (uid: string, password = ADMIN_SET_PASSWORD, newPassword = CHOSEN) =>
  portal.request('POST', '/user/password/change', { uid, body: { password, newPassword } })

test('requires a new password before any other call if the organisation requires it', async () => {
  const uid = await createUserWithPassword('new@strict.test', 'Strict')
  for (const path of ['/user/me', '/user/sessions', '/azure/templates?organization=Strict']) {
    const reply = await get(path, uid)
    expect(reply.status).toBe(403)
    expect(await reply.json()).toMatchObject({
      code: 'passwordChange',
      message: expect.stringContaining('set by someone else'),
    })
  }
  expect((await portal.request('DELETE', '/user/sessions', { uid })).status).toBe(403)
  expect((await change(uid, ADMIN_SET_PASSWORD, ADMIN_SET_PASSWORD)).status).toBe(400)
  expect((await change(uid)).status).toBe(200)
  expect((await get('/user/me', uid)).status).toBe(200)
  const again = await portal.request('POST', '/user/login', { body: { email: 'new@strict.test', password: CHOSEN } })
  expect((await get('/user/me', ((await again.json()) as { uid: string }).uid)).status).toBe(200)
})

test('allows signing out before the password is changed', async () => {
  const uid = await createUserWithPassword('leaver@strict.test', 'Strict')
  expect((await portal.request('POST', '/user/logout', { uid })).status).toBe(200)
  expect((await get('/user/me', uid)).status).toBe(401)
})

test('accepts a given password where the organisation does not require a change', async () => {
  const uid = await createUserWithPassword('new@lenient.test', 'Lenient')
  expect((await get('/user/me', uid)).status).toBe(200)
})
