import { expect, test } from 'vitest'
import { inGroup } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { openLab, putMachine, machine } from '@trainyard/platform/emulator/test/lab.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator()
await openLab(emulator)
await putMachine(emulator, 'one')
await emulator.arm('PUT', `${machine('one')}/extensions/policy`, {
  location: 'southindia',
  tags: { made: 'by Azure' },
  properties: { publisher: 'Microsoft.GuestConfiguration', type: 'ConfigurationforLinux', typeHandlerVersion: '1.0' },
})
const gallery = `${inGroup}/providers/Microsoft.Compute/galleries/shelf`
await emulator.arm('PUT', gallery, { location: 'southindia' })
await emulator.arm('PUT', `${gallery}/images/lab`, {
  location: 'southindia',
  properties: {
    osType: 'Linux',
    osState: 'Specialized',
    hyperVGeneration: 'V2',
    identifier: { publisher: 'acme', offer: 'lab', sku: 'one' },
  },
})

const contents = (query = '') => emulator.arm('GET', `${inGroup}/resources${query}`)

test('lists extensions, definitions and versions by their full name, but no subnets', async () => {
  const { body } = await contents()
  const listed = body.value.map(({ type, name }: { type: string; name: string }) => `${type} ${name}`) as string[]
  expect(listed.toSorted()).toEqual([
    'Microsoft.Compute/disks one-os',
    'Microsoft.Compute/galleries shelf',
    'Microsoft.Compute/galleries/images shelf/lab',
    'Microsoft.Compute/virtualMachines one',
    'Microsoft.Compute/virtualMachines/extensions one/policy',
    'Microsoft.Network/networkInterfaces one',
    'Microsoft.Network/publicIPAddresses one',
    'Microsoft.Network/virtualNetworks net',
  ])
})

test('returns state and creation time only on request', async () => {
  const plainPolicy = (await contents()).body.value.find(({ name }: { name: string }) => name === 'one/policy')
  const policy = {
    id: `${machine('one')}/extensions/policy`,
    name: 'one/policy',
    type: 'Microsoft.Compute/virtualMachines/extensions',
    location: 'southindia',
    tags: { made: 'by Azure' },
  }
  expect(plainPolicy).toEqual(policy)
  const { body } = await contents('?$expand=createdTime,provisioningState')
  const expandedPolicy = body.value.find(({ name }: { name: string }) => name === 'one/policy')
  expect(expandedPolicy).toEqual({
    ...policy,
    createdTime: expect.stringMatching(/Z$/),
    provisioningState: 'Succeeded',
  })
})

test.each([
  ['Resources_ListByResourceGroup', `${inGroup}/resources`, 8],
  ['VirtualMachines_List', `${inGroup}/providers/Microsoft.Compute/virtualMachines`, 1],
])('links an empty first page of %s to the next page', async (operation, path, count) => {
  await emulator.control('POST', '/_faults', { kind: 'emptyPage', operation, times: 1 })
  const empty = await emulator.arm('GET', path)
  expect(empty.body).toEqual({ value: [], nextLink: expect.stringContaining('skiptoken') })
  const { body } = await emulator.follow(empty.body.nextLink)
  expect([body.value.length, body.nextLink]).toEqual([count, undefined])
})
