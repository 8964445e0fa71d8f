import { expect, test } from 'vitest'
import { versions } from './operation.ts'
import { inGroup, inSubscription } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { address, addressBody, openLab } from '@trainyard/platform/emulator/test/lab.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'

const emulator = await sharedTestEmulator()
await openLab(emulator)
await emulator.arm('PUT', address('one'), addressBody)
await emulator.arm('PUT', `${inGroup}/providers/Microsoft.Compute/galleries/shelf`, { location: 'southindia' })

async function call(method: string, path: string, version: string, body?: unknown): Promise<[number, string, string]> {
  const response = await fetch(`${emulator.url}${path}?api-version=${version}`, {
    method,
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const reply = (await response.json()) as { error?: { code: string; message: string } }
  return [response.status, reply.error?.code ?? '', reply.error?.message ?? '']
}

const all = (type: string) => `${inSubscription}/providers/${type}`

test.each([
  ['2024-05-01', address('one')],
  ['2025-09-01', address('one')],
  ['2026-01-01', address('one')],
  ['2024-07-01', all('Microsoft.Compute/virtualMachines')],
  ['2026-04-01', all('Microsoft.Compute/virtualMachines')],
  ['2026-03-02', all('Microsoft.Compute/disks')],
  ['2025-12-03', `${inGroup}/providers/Microsoft.Compute/galleries/shelf`],
  ['2021-04-01', inGroup],
  ['2025-04-01', inGroup],
  ['2025-03-01', `${inGroup}/providers/Microsoft.Authorization/policyAssignments`],
])('accepts api-version %s at %s', async (version, path) => {
  expect((await call('GET', path, version))[0]).toBe(200)
})

test("refuses an unpublished version with the resource manager's own error", async () => {
  expect(await call('GET', inGroup, '2024-11-31')).toEqual([
    400,
    'InvalidApiVersionParameter',
    `The api-version '2024-11-31' is invalid. The supported versions are '${versions.resources.join(',')}'.`,
  ])
})

test('refuses an unsupported version of a type with the location of the existing resource or of the body', async () => {
  const expectedMessage = `No registered resource provider found for location 'southindia' and API version '2024-11-01' for type 'publicIPAddresses'. The supported api-versions are '${versions.network.join(', ')}'. The supported locations are '`
  for (const [method, path, body] of [
    ['GET', address('one'), undefined],
    ['PUT', address('two'), { ...addressBody, location: 'South India' }],
  ] as const) {
    const [status, code, message] = await call(method, path, '2024-11-01', body)
    expect([status, code]).toEqual([400, 'NoRegisteredProviderFound'])
    expect(message.startsWith(expectedMessage)).toBe(true)
  }
  expect(await call('POST', `${inGroup}/providers/Microsoft.Compute/virtualMachines/a/start`, '2024-03-02')).toEqual([
    404,
    'InvalidResourceType',
    `The resource type 'virtualMachines' could not be found in the namespace 'Microsoft.Compute' for api version '2024-03-02'. The supported api-versions are '${versions.compute.join(',')}'.`,
  ])
})

test('answers a list with 404 if its type has no such version', async () => {
  expect(await call('GET', all('Microsoft.Network/virtualNetworks'), '2020-04-01')).toEqual([
    404,
    'InvalidResourceType',
    `The resource type 'virtualNetworks' could not be found in the namespace 'Microsoft.Network' for api version '2020-04-01'. The supported api-versions are '${versions.network.join(',')}'.`,
  ])
})

test('makes subnets of a new network private in the newest version, unless the body says otherwise', async () => {
  const putMachine = (version: string, name: string) =>
    call('PUT', `${inGroup}/providers/Microsoft.Network/virtualNetworks/${name}`, version, {
      location: 'southindia',
      properties: {
        addressSpace: { addressPrefixes: ['10.1.0.0/16'] },
        subnets: [
          { name: 'silent', properties: { addressPrefix: '10.1.0.0/24' } },
          { name: 'open', properties: { addressPrefix: '10.1.1.0/24', defaultOutboundAccess: true } },
        ],
      },
    })
  const outboundAccess = async (name: string) => {
    const { body } = await emulator.arm('GET', `${inGroup}/providers/Microsoft.Network/virtualNetworks/${name}`)
    const { subnets } = body.properties as { subnets: { name: string; properties: Record<string, unknown> }[] }
    return subnets.map((subnet) => [subnet.name, subnet.properties['defaultOutboundAccess']])
  }
  expect((await putMachine('2026-01-01', 'newest'))[0]).toBe(201)
  expect(await outboundAccess('newest')).toEqual([
    ['open', true],
    ['silent', false],
  ])
  expect((await putMachine('2024-05-01', 'older'))[0]).toBe(201)
  expect((await putMachine('2026-01-01', 'older'))[0]).toBe(200)
  expect(await outboundAccess('older')).toEqual([
    ['open', true],
    ['silent', undefined],
  ])
})

test('shows the instance ID of a policy assignment only in the newest version, and changes it when the assignment is recreated', async () => {
  const path = `${inGroup}/providers/Microsoft.Authorization/policyAssignments/sizes`
  const call = async (method: string, version: string, body?: unknown) => {
    const response = await fetch(`${emulator.url}${path}?api-version=${version}`, {
      method,
      headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return ((await response.json()) as { properties: { instanceId?: string } }).properties.instanceId
  }
  const body = {
    properties: {
      policyDefinitionId: '/providers/Microsoft.Authorization/policyDefinitions/cccc23c7-8427-4f53-ad12-b6a63eb452b3',
      parameters: { listOfAllowedSKUs: { value: ['Standard_D2s_v3'] } },
    },
  }
  const first = await call('PUT', '2025-03-01', body)
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect(await call('PUT', '2025-03-01', body)).toBe(first)
  expect(await call('GET', '2024-05-01')).toBeUndefined()
  await call('DELETE', '2024-05-01')
  expect(await call('PUT', '2025-03-01', body)).not.toBe(first)
})
