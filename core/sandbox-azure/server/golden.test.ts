import { afterAll, describe, expect, test } from 'vitest'
import { exampleClient, type ExampleAnswer } from '@trainyard/platform/test/azure-official/example-wire.ts'
import {
  EXAMPLE_CALLER,
  EXAMPLE_DATE,
  SOURCE,
  specification,
} from '@trainyard/platform/test/azure-official/test-official.ts'
import { watchContract } from '@trainyard/platform/test/azure-official/watch.ts'
import { azureSandboxes } from './groups.ts'
import { assignmentName } from './names.ts'

/** Azure's published examples, with the adapter's results for these responses and the adapter's requests. */

const EXAMPLES: Readonly<Record<string, readonly ExampleAnswer[]>> = {
  ResourceGroups_Get: ['absent'],
  ResourceGroups_CreateOrUpdate: [{ example: 'Create or update a resource group', status: 201 }],
  PolicyAssignments_Create: [{ example: 'Create or update a policy assignment', status: 201 }],
  RoleAssignments_ListForResourceGroup: [{ example: 'List role assignments for resource group', status: 200 }],
  RoleAssignments_Create: [{ example: 'Create role assignment for resource group', status: 201 }],
  RoleAssignments_Delete: [{ example: 'Delete role assignment', status: 200 }],
  VirtualMachines_Deallocate: [{ example: 'VirtualMachine_Deallocate_MaximumSet_Gen', status: 202 }],
}

const sandbox = { id: '0198c0de-0000-7000-8000-000000000001', group: '0198c0de-one-sandbox' }
const objectId = 'ce2ce14e-85d7-4629-bdbc-454d0519d987'

describe.skipIf(specification === null)(`official examples (${SOURCE})`, () => {
  const watch = watchContract()
  afterAll(async () => {
    await watch.settle()
  })

  function sandboxesOn() {
    const { wire, requests } = exampleClient(specification!, EXAMPLES, EXAMPLE_DATE)
    return { groups: azureSandboxes({ ...EXAMPLE_CALLER, http: () => watch.http(wire) }), requests }
  }
  const signal = () => AbortSignal.timeout(10_000)

  test('reports an absent group', async () => {
    expect(await sandboxesOn().groups.getGroup(sandbox, signal())).toEqual({ state: 'absent' })
  })

  test('creates a group with its location and tags', async () => {
    const { groups, requests } = sandboxesOn()
    await groups.createGroup({ ...sandbox, location: 'eastus', user: 'asha@labs.test', endsAt: EXAMPLE_DATE }, signal())
    expect(requests).toEqual([
      {
        operation: 'ResourceGroups_CreateOrUpdate',
        body: {
          location: 'eastus',
          tags: {
            'trainyard-sandbox': sandbox.id,
            'trainyard-user': 'asha@labs.test',
            'trainyard-ends': '2026-11-21T02:03:04.000Z',
          },
        },
      },
    ])
  })

  test('limits sizes by the built-in policy', async () => {
    const { groups, requests } = sandboxesOn()
    await groups.limitSizes(sandbox, ['Standard_B1s'], signal())
    expect(requests[0]).toMatchObject({
      operation: 'PolicyAssignments_Create',
      body: { properties: { parameters: { listOfAllowedSKUs: { value: ['Standard_B1s'] } } } },
    })
  })

  test('assigns a role with a name that is derived from its content', async () => {
    const { groups, requests } = sandboxesOn()
    await groups.setAccess(sandbox, { level: 'read', objectId }, signal())
    // The assignment of the example is at another scope, so it is inherited and left unchanged.
    expect(requests.map(({ operation }) => operation)).toEqual([
      'RoleAssignments_ListForResourceGroup',
      'RoleAssignments_Create',
    ])
    expect(requests[1]?.body).toMatchObject({ properties: { principalId: objectId, principalType: 'User' } })
  })

  test('deallocates a machine to stop it', async () => {
    const { groups, requests } = sandboxesOn()
    await groups.stopMachine(sandbox, 'one', signal())
    expect(requests.map(({ operation }) => operation)).toEqual(['VirtualMachines_Deallocate'])
  })
})

test('gives an assignment a stable name that differs by role, user and group', () => {
  const name = assignmentName('subscriptions/a/resourceGroups/b', objectId, 'full')
  expect(name).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(assignmentName('SUBSCRIPTIONS/a/resourcegroups/B', objectId.toUpperCase(), 'full')).toBe(name)
  const others = [
    assignmentName('subscriptions/a/resourceGroups/b', objectId, 'read'),
    assignmentName('subscriptions/a/resourceGroups/c', objectId, 'full'),
    assignmentName('subscriptions/a/resourceGroups/b', sandbox.id, 'full'),
  ]
  expect(new Set([name, ...others]).size).toBe(4)
})
