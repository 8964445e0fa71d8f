import { afterEach, expect, test } from 'vitest'
import { machineSpec } from '@trainyard/platform/test/emulated-azure.ts'
import { sharedEmulatedAzure } from '@trainyard/platform/test/shared.ts'
import type { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { azureMachines } from './machines.ts'
import { emulatorCredential } from './credentials.ts'

/** Networks and security groups of a customer, and networks of the portal that Azure shows as failed. */

const azure = await sharedEmulatedAzure()
afterEach(() => azure.clearFaults())
const SUBSCRIPTION = '00000000-0000-4000-8000-000000000001'
const signal = () => AbortSignal.timeout(60_000)

let number = 0
/** Returns a machine in a separate resource group. */
function freshSpec(network = 'lab-net') {
  number += 1
  const name = `theirs-${number}`
  return { ...machineSpec(number), name, resourceGroup: name, network, securityGroup: `${name}-nsg` }
}
type Spec = ReturnType<typeof freshSpec>

async function arm<T = { properties: object }>(
  method: string,
  { resourceGroup }: Spec,
  path: string,
  body?: object,
): Promise<T> {
  const root = `${azure.url}/subscriptions/${SUBSCRIPTION}/resourceGroups/${resourceGroup}`
  const reply = await fetch(`${root}${path}${path === '' ? '?api-version=2024-11-01' : '?api-version=2024-05-01'}`, {
    method,
    headers: { authorization: 'Bearer operator', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}

const NETWORK = '/providers/Microsoft.Network/virtualNetworks/lab-net'
const place = { location: 'southindia' }
const subnet = (name: string, third: number, delegation?: string) => ({
  name,
  properties: {
    addressPrefix: `10.50.${third}.0/24`,
    ...(delegation !== undefined && { delegations: [{ name: 'one', properties: { serviceName: delegation } }] }),
  },
})

async function createNetwork(spec: Spec, subnets: readonly object[], tags = {}): Promise<void> {
  await arm('PUT', spec, '', place)
  const properties = { addressSpace: { addressPrefixes: ['10.50.0.0/16'] }, subnets }
  await arm('PUT', spec, NETWORK, { ...place, tags, properties })
}

const failureOf = async (spec: Spec, cloud = azure.machines()): Promise<CloudError | null> =>
  cloud.createMachine(spec, signal()).then(
    () => null,
    (error: CloudError) => error,
  )

const subnetOf = async (spec: Spec) => {
  const { properties } = await arm<{
    properties: { ipConfigurations: { properties: { subnet: { id: string } } }[] }
  }>('GET', spec, `/providers/Microsoft.Network/networkInterfaces/${spec.name}-nic`)
  return properties.ipConfigurations[0]!.properties.subnet.id.split('/').at(-1)
}

test('a machine is never created in a reserved or delegated subnet', async () => {
  const spec = freshSpec()
  await createNetwork(spec, [
    subnet('GatewaySubnet', 1),
    subnet('AzureBastionSubnet', 2),
    subnet('default', 3, 'Microsoft.Web/serverFarms'),
    subnet('labs', 4),
  ])
  expect(await failureOf(spec)).toBeNull()
  expect(await subnetOf(spec)).toBe('labs')
})

test('refuses a network without a suitable subnet, with the reason for each subnet', async () => {
  const spec = freshSpec()
  await createNetwork(spec, [
    subnet('AzureFirewallSubnet', 1),
    subnet('RouteServerSubnet', 2),
    subnet('apps', 3, 'Microsoft.Web/serverFarms'),
  ])
  expect(await failureOf(spec)).toMatchObject({
    kind: 'refused',
    message:
      'The virtual network lab-net has no subnet for machines: apps is delegated to Microsoft.Web/serverFarms, AzureFirewallSubnet is reserved by Azure, RouteServerSubnet is reserved by Azure. Add a subnet in Azure, or enter another network in the VM card.',
  })
})

test('replaces a subnet that was delegated after its first machine at the next attempt', async () => {
  const spec = freshSpec()
  await createNetwork(spec, [subnet('default', 3), subnet('labs', 4)])
  const cloud = azure.machines()
  expect(await failureOf(spec, cloud)).toBeNull()
  await azure.delete(cloud, spec)
  const { properties } = subnet('default', 3, 'Microsoft.Web/serverFarms')
  await arm('PUT', spec, `${NETWORK}/subnets/default`, { properties })
  const second = { ...spec, name: `${spec.name}-b` }
  expect(await failureOf(second, cloud)).toMatchObject({
    kind: 'refused',
    message: `Azure refused to create the network interface of ${second.name}, because the subnet belongs to another service. Choose another subnet or network in the template, then order the machine again. The portal reads the network again and retries automatically. Azure: Resource ${second.name}-nic cannot be created in or updated to use the subnet default since it has delegation(s) [one] to external services.`,
  })
  expect(await failureOf(second, cloud)).toBeNull()
  expect(await subnetOf(second)).toBe('labs')
})

test.each([
  ['VirtualNetworks_CreateOrUpdate', 'create it again'],
  ['NetworkSecurityGroups_CreateOrUpdate', 'create it again'],
])('a canceled result of %s is repaired by the next attempt', async (operation, text) => {
  const spec = freshSpec()
  await azure.control('POST', '/_faults', { kind: 'finishCanceled', operation, times: 1 })
  expect(await failureOf(spec)).toMatchObject({ kind: 'conflict', message: expect.stringContaining(text) })
  expect(await failureOf(spec)).toBeNull()
})

test('reports a canceled network or security group of another owner by name, unchanged', async () => {
  const spec = freshSpec()
  const group = `/providers/Microsoft.Network/networkSecurityGroups/${spec.securityGroup}`
  const cancelNext = (operation: string) =>
    azure.control('POST', '/_faults', { kind: 'finishCanceled', operation, times: 1 })
  await cancelNext('NetworkSecurityGroups_CreateOrUpdate')
  await arm('PUT', spec, '', place)
  await arm('PUT', spec, group, { ...place, tags: { owner: 'network team' }, properties: {} })
  expect(await failureOf(spec)).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(
      `Azure shows the security group ${spec.securityGroup} in the resource group ${spec.resourceGroup} as Canceled. The portal did not create it`,
    ),
  })
  expect((await arm('GET', spec, group)).properties).toMatchObject({ provisioningState: 'Canceled' })

  const other = freshSpec()
  await cancelNext('VirtualNetworks_CreateOrUpdate')
  await createNetwork(other, [subnet('labs', 4)], { owner: 'network team' })
  expect(await failureOf(other)).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(
      `Azure shows the virtual network lab-net in the resource group ${other.resourceGroup} as Canceled.`,
    ),
  })
})

test('repairs a failed network of the portal with its subnets at the next attempt', async () => {
  const spec = freshSpec()
  await azure.control('POST', '/_faults', {
    kind: 'finishFailed',
    operation: 'VirtualNetworks_CreateOrUpdate',
    times: 1,
  })
  expect(await failureOf(spec)).toMatchObject({ kind: 'conflict', message: expect.stringContaining('create it again') })
  expect(await failureOf(spec)).toBeNull()
  expect(await subnetOf(spec)).toBe('default')
})

test('a failed security group of the portal is repaired by the next attempt', async () => {
  const spec = freshSpec()
  const operation = 'NetworkSecurityGroups_CreateOrUpdate'
  await azure.control('POST', '/_faults', { kind: 'finishFailed', operation, times: 1 })
  expect(await failureOf(spec)).toMatchObject({ kind: 'conflict' })
  expect(await failureOf(spec)).toBeNull()
})

test('reports a failed network of another owner by name, unchanged', async () => {
  const spec = freshSpec()
  await azure.control('POST', '/_faults', {
    kind: 'finishFailed',
    operation: 'VirtualNetworks_CreateOrUpdate',
    times: 1,
  })
  await createNetwork(spec, [subnet('labs', 4)], { owner: 'network team' })
  expect(await failureOf(spec)).toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(
      /^Azure shows the virtual network lab-net in the resource group theirs-\d+ as Failed\. The portal did not create it/,
    ),
  })
  const { properties } = await arm('GET', spec, NETWORK)
  expect(properties).toMatchObject({ provisioningState: 'Failed' })
})

test('a network that the portal creates has the range of the setting', async () => {
  const spec = freshSpec()
  const networkRange = '10.77.0.0/16'
  const settings = { subscriptionId: SUBSCRIPTION, credential: emulatorCredential(), emulatorUrl: azure.url }
  await azureMachines({ ...settings, networkRange }).createMachine(spec, signal())
  expect((await arm('GET', spec, NETWORK)).properties).toMatchObject({
    addressSpace: { addressPrefixes: [networkRange] },
    subnets: [{ name: 'default', properties: { addressPrefix: networkRange } }],
  })
})

const idOf = ({ resourceGroup }: Spec, subscription = SUBSCRIPTION) =>
  `/subscriptions/${subscription}/resourceGroups/${resourceGroup}${NETWORK}`

test('uses a network of another resource group by its resource ID, with the named subnet', async () => {
  const hub = freshSpec()
  await createNetwork(hub, [subnet('default', 1), subnet('labs', 2), subnet('GatewaySubnet', 3)])
  const inAnySubnet = freshSpec(idOf(hub))
  expect(await failureOf(inAnySubnet)).toBeNull()
  expect(await subnetOf(inAnySubnet)).toBe('default')
  const inOneSubnet = freshSpec(`${idOf(hub)}/subnets/labs`)
  expect(await failureOf(inOneSubnet)).toBeNull()
  expect(await subnetOf(inOneSubnet)).toBe('labs')
  expect(await failureOf(freshSpec(`${idOf(hub)}/subnets/GatewaySubnet`))).toMatchObject({
    message: expect.stringContaining('GatewaySubnet is reserved by Azure'),
  })
  expect(await failureOf(freshSpec(`${idOf(hub)}/subnets/none`))).toMatchObject({
    message: 'The virtual network lab-net has no subnet none.',
  })
})

test('never creates a network given by its resource ID, and requires the region of the machine', async () => {
  const absent = freshSpec()
  expect(await failureOf(freshSpec(idOf(absent)))).toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(/^The virtual network lab-net does not exist in the resource group theirs-\d+\./),
  })
  const hub = freshSpec()
  await createNetwork(hub, [subnet('labs', 2)])
  expect(await failureOf({ ...freshSpec(idOf(hub)), location: 'westeurope' })).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(
      'The virtual network lab-net is in southindia, and the machine will be in westeurope.',
    ),
  })
})

test('reads a network of another subscription in that subscription', async () => {
  const other = '00000000-0000-4000-8000-0000000000ff'
  const requests: string[] = []
  const cloud = azure.machines((wire) => ({
    sendRequest(request) {
      requests.push(`${request.method} ${new URL(request.url).pathname}`)
      return wire.sendRequest(request)
    },
  }))
  const network = idOf(freshSpec(), other)
  await expect(cloud.createMachine(freshSpec(network), signal())).rejects.toThrow('does not exist')
  expect(requests).toContain(`GET ${network}`)
})
