import { describe, expect, test } from 'vitest'
import { createHttpHeaders } from '@azure/core-rest-pipeline'
import { emulatorCredential } from '@trainyard/azure/server/credentials.ts'
import { SANDBOX_OPERATIONS_IN_USE } from '@trainyard/platform/test/azure-official/operations.ts'
import { specificationRoot } from '@trainyard/platform/test/azure-official/specification.ts'
import { watchContract } from '@trainyard/platform/test/azure-official/watch.ts'
import { graphIdentity } from './identity.ts'
import { azureSandboxes } from './groups.ts'
import { sharedEmulator } from '@trainyard/platform/test/shared.ts'

/** End-to-end scenario of a sandbox at the emulator. Every message is checked against Azure's published contract. */

const watch = watchContract()
const sandbox = { id: '0198c0de-0000-7000-8000-000000000001', group: '0198c0de-one-sandbox' }
const spec = { ...sandbox, location: 'southindia', user: 'asha@labs.test', endsAt: new Date('2026-12-01T00:00:00Z') }
const user = { id: sandbox.id, signInName: 'asha@labs.test', displayName: 'asha', personalEmail: 'asha@home.test' }
const signal = () => AbortSignal.timeout(20_000)

const emulator = await sharedEmulator()
const azure = {
  subscriptionId: '00000000-0000-4000-8000-000000000001',
  credential: emulatorCredential(),
  emulatorUrl: emulator.url,
}
const groups = azureSandboxes({ ...azure, http: watch.http })
const { objectId } = await graphIdentity(azure).createUser({ ...user, firstPassword: 'Correct-Horse-7' }, signal())

async function roles(): Promise<string[]> {
  const { users } = await emulator.truth('users')
  return users[0]!.roles.map(({ role }) => role)
}

const putMachine = async (name: string) =>
  (await emulator.control('POST', '/_as/asha@labs.test/machines', { resourceGroup: sandbox.group, name })).status

test('reports nothing and accepts revocation and deletion before the group exists', async () => {
  expect(await groups.getGroup(sandbox, signal())).toEqual({ state: 'absent' })
  expect(await groups.listResources(sandbox, signal())).toBeNull()
  await groups.setAccess(sandbox, { level: 'none' }, signal())
  await groups.deleteGroup(sandbox, signal())
})

test('creates the group once and identifies it by its tag', async () => {
  await groups.createGroup(spec, signal())
  await groups.createGroup(spec, signal())
  expect(await groups.getGroup(sandbox, signal())).toEqual({ state: 'existing', ours: true })
  const otherSandbox = { ...sandbox, id: '0198c0de-0000-7000-8000-00000000ffff' }
  expect(await groups.getGroup(otherSandbox, signal())).toEqual({ state: 'existing', ours: false })
})

describe('access', () => {
  test.each(['full', 'full', 'read', 'full', 'read', 'none', 'none'] as const)('%s', async (level) => {
    await groups.setAccess(sandbox, level === 'none' ? { level } : { level, objectId }, signal())
    expect(await roles()).toEqual(level === 'none' ? [] : [level === 'full' ? 'Contributor' : 'Reader'])
  })
})

test('lists resources with the facts that determine their prices, and stops machines', async () => {
  await groups.setAccess(sandbox, { level: 'full', objectId }, signal())
  await groups.limitSizes(sandbox, ['Standard_DS1_v2'], signal())
  expect(await putMachine('too-small')).toBe(403)
  await groups.limitSizes(sandbox, ['Standard_B1s'], signal())
  expect(await putMachine('one')).toBe(201)
  const kinds = async () => {
    const resources = (await groups.listResources(sandbox, signal()))!
    const costing = resources.filter(({ kind }) => kind !== 'other')
    return costing.map((each) => (each.kind === 'machine' ? `${each.size} ${each.billed}` : each.kind)).toSorted()
  }
  // The address of the refused machine also exists and is billed.
  expect(await kinds()).toEqual(['Standard_B1s true', 'address', 'address', 'disk'])
  await groups.stopMachine(sandbox, 'one', signal())
  expect(await kinds()).toEqual(['Standard_B1s false', 'address', 'address', 'disk'])
})

test.each([
  ['deallocated', false],
  ['running', true],
  ['starting', true],
])('reads a machine that is changing while %s as billed: %j', async (power, billed) => {
  const changing = azureSandboxes({
    subscriptionId: '00000000-0000-4000-8000-000000000001',
    credential: emulatorCredential(),
    emulatorUrl: emulator.url,
    http: (wire) => ({
      async sendRequest(request) {
        if (!request.url.includes('/instanceView')) return wire.sendRequest(request)
        const statuses = [{ code: 'ProvisioningState/updating' }, { code: `PowerState/${power}` }]
        const headers = createHttpHeaders({ 'content-type': 'application/json' })
        return { request, status: 200, headers, bodyAsText: JSON.stringify({ statuses }) }
      },
    }),
  })
  const resources = (await changing.listResources(sandbox, signal()))!
  expect(resources.filter(({ kind }) => kind === 'machine')).toMatchObject([{ name: 'one', billed }])
})

test('lists the other resources if one machine cannot be read', async () => {
  const withoutLists = azureSandboxes({
    subscriptionId: '00000000-0000-4000-8000-000000000001',
    credential: emulatorCredential(),
    emulatorUrl: emulator.url,
    http: (wire) => ({
      async sendRequest(request) {
        if (!request.url.includes('/instanceView')) return wire.sendRequest(request)
        const bodyAsText = JSON.stringify({ error: { code: 'BadRequest', message: 'Expand is not supported.' } })
        const headers = createHttpHeaders({ 'content-type': 'application/json' })
        return { request, status: 400, headers, bodyAsText }
      },
    }),
  })
  const resources = (await withoutLists.listResources(sandbox, signal()))!
  expect(resources.filter(({ kind }) => kind === 'machine')).toMatchObject([{ name: 'one', billed: null }])
  expect(resources.some(({ kind }) => kind === 'disk')).toBe(true)
})

test('deletes the group with its resources and roles', async () => {
  await groups.deleteGroup(sandbox, signal())
  await groups.deleteGroup(sandbox, signal())
  expect(await groups.getGroup(sandbox, signal())).toEqual({ state: 'absent' })
  expect(await roles()).toEqual([])
})

test.skipIf(specificationRoot() === null)(
  'sends only messages that fit the contract, and exactly the operations of the negative controls',
  async () => {
    const { operations } = await watch.settle()
    expect([...operations.keys()].toSorted()).toEqual([...SANDBOX_OPERATIONS_IN_USE].toSorted())
  },
  60_000,
)
