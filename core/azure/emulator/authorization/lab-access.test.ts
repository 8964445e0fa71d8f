import { expect, test } from 'vitest'
import { inSubscription } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { user } from '@trainyard/platform/emulator/test/graph-user.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const group = `${inSubscription.replace(/1{8}.*/, '00000000-0000-4000-8000-000000000001')}/resourceGroups/asha-one-sandbox`
const role = (id: string) => `/subscriptions/x/providers/Microsoft.Authorization/roleDefinitions/${id}`
const CONTRIBUTOR = role('b24988ac-6180-42a0-ab88-20f7382dd24c')
const READER = role('acdd72a7-3385-48ef-bd42-f606fba81ae7')
const NAME = '0198c0de-0000-5000-8000-000000000001'

const emulator = await sharedTestEmulator({ clock: 'stepped' })
await emulator.control('POST', '/_directory', { lagSeconds: 20 })
const reply = await fetch(`${emulator.url}/v1.0/users`, {
  method: 'POST',
  headers: { authorization: 'Bearer app', 'content-type': 'application/json' },
  body: JSON.stringify(user('asha')),
})
const id = ((await reply.json()) as { id: string }).id
await emulator.arm('PUT', group, { location: 'eastus' })

const assign = (roleDefinitionId: string, name = NAME) =>
  emulator.arm('PUT', `${group}/providers/Microsoft.Authorization/roleAssignments/${name}`, {
    properties: { roleDefinitionId, principalId: id, principalType: 'User' },
  })
const asUser = (body: object) =>
  emulator.control('POST', '/_as/asha@labs.test/machines', { resourceGroup: 'asha-one-sandbox', ...body })

test('refuses a role for a user whom the directory has not replicated yet', async () => {
  const tooEarly = await assign(CONTRIBUTOR)
  expect([tooEarly.status, tooEarly.body.error.code]).toEqual([400, 'PrincipalNotFound'])
  await emulator.advance(20)
  expect((await assign(CONTRIBUTOR)).status).toBe(201)
})

test('accepts a repeated assignment and refuses a changed or duplicate one', async () => {
  expect((await assign(CONTRIBUTOR)).status).toBe(200)
  expect((await assign(READER)).body.error.code).toBe('RoleAssignmentUpdateNotPermitted')
  const duplicate = await assign(CONTRIBUTOR, '0198c0de-0000-5000-8000-000000000002')
  expect([duplicate.status, duplicate.body.error.code]).toEqual([409, 'RoleAssignmentExists'])
})

test('lets a user create machines in the group, limited to the sizes of its policy', async () => {
  const policy = await emulator.arm('PUT', `${group}/providers/Microsoft.Authorization/policyAssignments/sizes`, {
    properties: {
      policyDefinitionId: '/providers/Microsoft.Authorization/policyDefinitions/cccc23c7-8427-4f53-ad12-b6a63eb452b3',
      parameters: { listOfAllowedSKUs: { value: ['Standard_B1s'] } },
    },
  })
  expect(policy.status).toBe(201)
  await emulator.advance(2)
  expect((await asUser({ name: 'one' })).status).toBe(201)
  const large = await asUser({ name: 'two', size: 'Standard_D16ds_v4' })
  expect([large.status, large.body.error.code]).toEqual([403, 'RequestDisallowedByPolicy'])
  const { body } = await emulator.arm('GET', `${group}/resources?$expand=createdTime`)
  expect(body.value.map(({ type }: { type: string }) => type)).toContain('Microsoft.Compute/virtualMachines')
  expect(body.value[0].createdTime).toMatch(/Z$/)
})

test('refuses users who have only the reader role, are blocked or have no role', async () => {
  await emulator.arm('DELETE', `${group}/providers/Microsoft.Authorization/roleAssignments/${NAME}`)
  expect((await asUser({ name: 'three' })).body.error.code).toBe('AuthorizationFailed')
  expect((await assign(READER)).status).toBe(201)
  expect((await asUser({ name: 'three' })).body.error.code).toBe('AuthorizationFailed')
  const { body } = await emulator.control('GET', '/_truth?part=users')
  expect(body.users[0]).toMatchObject({ canSignIn: true, roles: [{ group: 'asha-one-sandbox', role: 'Reader' }] })
  await fetch(`${emulator.url}/v1.0/users/${id}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer app', 'content-type': 'application/json' },
    body: '{"accountEnabled":false}',
  })
  expect((await asUser({ name: 'three' })).status).toBe(401)
})

test('deletes the role assignments of a deleted group', async () => {
  await emulator.arm('DELETE', group)
  await emulator.advance(1)
  const { body } = await emulator.control('GET', '/_truth?part=users,roleAssignments')
  expect(body.roleAssignments).toEqual([])
})
