import { expect, test } from 'vitest'
import { user } from '@trainyard/platform/emulator/test/graph-user.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const subscription = '/subscriptions/00000000-0000-4000-8000-000000000001'
let cookie = ''

const emulator = await sharedTestEmulator()
const graph = (method: string, path: string, body: object) =>
  fetch(`${emulator.url}/v1.0${path}`, {
    method,
    headers: { authorization: 'Bearer app', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const created = await graph('POST', '/users', user('asha', { passwordProfile: { password: 'Correct-Horse-7' } }))
const { id } = (await created.json()) as { id: string }
await emulator.arm('PUT', `${subscription}/resourceGroups/asha-one-sandbox`, { location: 'eastus' })
const name = '0198c0de-0000-5000-8000-000000000001'
const role = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c`
const scope = `${subscription}/resourceGroups/asha-one-sandbox/providers/Microsoft.Authorization/roleAssignments`
await emulator.arm('PUT', `${scope}/${name}`, { properties: { roleDefinitionId: role, principalId: id } })

async function portal(path: string, form?: Record<string, string>): Promise<{ status: number; text: string }> {
  const reply = await fetch(`${emulator.url}${path}`, {
    method: form === undefined ? 'GET' : 'POST',
    headers: { cookie },
    redirect: 'manual',
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  })
  cookie = reply.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie
  return { status: reply.status, text: await reply.text() }
}

test('lets a user sign in after setting up a second factor, create a machine in their group and stop it', async () => {
  expect((await portal('/portal', { user: 'asha@labs.test', password: 'wrong' })).text).toContain('incorrect')
  const first = await portal('/portal', { user: 'asha@labs.test', password: 'Correct-Horse-7' })
  expect(first.text).toContain('Set up the authenticator')
  expect((await portal('/portal')).text).toContain('Sign in')
  const registration = /name="registration" value="([0-9a-f-]+)"/.exec(first.text)![1]!
  expect((await portal('/portal/authenticator', { registration: 'made-up' })).status).toBe(403)
  expect((await portal('/portal/authenticator', { registration })).status).toBe(303)
  expect((await portal('/portal/authenticator', { registration })).status).toBe(403)
  expect((await portal('/portal')).text).toContain('asha-one-sandbox')
  const machine = { group: 'asha-one-sandbox', name: 'one' }
  expect((await portal('/portal/machines', { ...machine, size: 'Standard_B1s' })).status).toBe(303)
  expect((await portal('/portal')).text).toContain('one, Standard_B1s, running')
  expect((await portal('/portal/machines', { ...machine, do: 'deallocate' })).status).toBe(303)
  expect((await portal('/portal')).text).toContain('one, Standard_B1s, deallocated')
})

test("refuses another user's group with Azure's message", async () => {
  await emulator.arm('PUT', `${subscription}/resourceGroups/labs`, { location: 'eastus' })
  const reply = await portal('/portal/machines', { group: 'labs', name: 'two', size: 'Standard_B1s' })
  expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('does not have authorization')])
})

test('ends a session whose sign-in was revoked, until the user signs in again', async () => {
  expect((await portal('/portal')).text).toContain('asha-one-sandbox')
  await graph('POST', '/users/asha@labs.test/revokeSignInSessions', {})
  expect((await portal('/portal')).text).toContain('Sign in')
  expect((await portal('/portal', { user: 'asha@labs.test', password: 'Correct-Horse-7' })).status).toBe(303)
  expect((await portal('/portal')).text).toContain('asha-one-sandbox')
})

test('ends the session of a blocked user and refuses the sign-in', async () => {
  await graph('PATCH', '/users/asha@labs.test', { accountEnabled: false })
  expect((await portal('/portal')).text).toContain('Sign in')
  expect((await portal('/portal', { user: 'asha@labs.test', password: 'Correct-Horse-7' })).text).toContain('locked')
})
