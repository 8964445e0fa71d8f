import { expect, test } from 'vitest'
import { openSession } from '@trainyard/users/server/sessions.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const { db } = env
const { token } = (await admin('POST', '/admin/scim/tokens', { name: 'Entra ID', days: 30 })).body as { token: string }

async function scim(method: string, path: string, body: object | null): Promise<{ status: number; id: string }> {
  const reply = await fetch(`${env.portal.url}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    body: body && JSON.stringify(body),
  })
  const text = await reply.text()
  return { status: reply.status, id: text === '' ? '' : (JSON.parse(text) as { id: string }).id }
}
const create = (userName: string) =>
  scim('POST', '/Users', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName })
const replace = (id: string, path: string, value: unknown) =>
  scim('PATCH', `/Users/${id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path, value }],
  })
const account = (email: string) =>
  db.selectFrom('portal_user').selectAll().where('email', '=', email).executeTakeFirst()
const eraseLater = (email: string) =>
  db
    .insertInto('person_erasure')
    .values({ email, organisation_id: null, asked_by: 'root@portal.test' })
    .returning('id')
    .executeTakeFirstOrThrow()

test('a deactivated user stays deactivated while their personal data waits for its erasure', async () => {
  const email = 'erased@acme.test'
  const { id } = await create(email)
  await replace(id, 'active', false)
  await eraseLater(email)
  await replace(id, 'active', true)
  const { id: user } = (await account(email))!
  await expect(db.transaction().execute((tx) => openSession(tx, user))).rejects.toThrow('deactivated this account')
  await replace(id, 'userName', 'escaped@acme.test')
  expect(await account(email)).toMatchObject({ id: user, deactivated_at: expect.any(Date) })
})

test('an admin whom the directory deleted does not return before the erasure is withdrawn', async () => {
  const email = 'returning@acme.test'
  const { id } = await create(email)
  await db.updateTable('portal_user').set({ role: 'admin' }).where('email', '=', email).execute()
  expect((await scim('DELETE', `/Users/${id}`, null)).status).toBe(204)
  const erasure = await eraseLater(email)
  expect((await create(email)).status).toBe(409)
  await db.deleteFrom('person_erasure').where('id', '=', erasure.id).execute()
  expect((await create(email)).status).toBe(201)
})
