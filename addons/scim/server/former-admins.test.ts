import { expect, test } from 'vitest'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'

const portal = await sharedPortal()
const { own } = await createSubjects(portal)
const root = await portal.sessionOf(PEOPLE.superadmin)

const change = async (body: object): Promise<object> => {
  const reply = await portal.request('PATCH', '/admin/users', { uid: root, body })
  return { status: reply.status, message: ((await reply.json()) as { message: string }).message }
}

test('a change of the access level and the deletion of an admin name the directory tokens that the former admin can still have', async () => {
  await change({ email: PEOPLE.user, userType: 'admin' })
  const uid = await portal.sessionOf(PEOPLE.user)
  const body = { name: 'Entra ID', days: 30 }
  expect((await portal.request('POST', '/admin/scim/tokens', { uid, body })).status).toBe(200)
  const warning =
    'They created the directory token Entra ID, which is still valid. Replace it in Organisation Settings.'
  expect(await change({ email: PEOPLE.user, userType: 'user' })).toEqual({
    status: 200,
    message: `learner@own.test now has the access level user and must log in again. ${warning}`,
  })
  const removed = await portal.request('DELETE', '/admin/users', {
    uid: root,
    body: { email: PEOPLE.user, organization: own.organization },
  })
  expect(await removed.json()).toEqual({ message: `User ${PEOPLE.user} deleted successfully! ${warning}` })
})
