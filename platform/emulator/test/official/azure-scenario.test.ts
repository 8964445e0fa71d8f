import { expect, test } from 'vitest'
import { newestAzure, newestAzurePackages } from './newest-azure.ts'
import { printVersions } from './package-version.ts'
import type { Exchange } from '../exchange.ts'
import { inGroup } from '../test-emulator.ts'
import { clientMachine, sshRule } from '../lab.ts'
import { openApi, whyNoOpenApi } from '../official-validator.ts'
import { publishedTypes } from '../published-types.ts'
import { sharedTestEmulator } from '../shared-test-emulator.ts'

const location = 'southindia'
const group = 'labs'
/** Without the leading slash, as in Azure's own samples. The client adds it. */
const scope = inGroup.slice(1)
/** api-versions that the clients sent, by resource type. */
const requestedAddresses = new Map<string, string>()
const exchanges: Exchange[] = []

const emulator = await sharedTestEmulator()
const azure = newestAzure(emulator.url, (exchange) => {
  exchanges.push(exchange)
  const { pathname, searchParams } = new URL(exchange.url)
  const type = /\/providers\/([\w.]+\/\w+)[^]*$/.exec(pathname)?.[1] ?? 'resourceGroups'
  requestedAddresses.set(type, searchParams.get('api-version') ?? '')
})

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

async function powerOf(name: string): Promise<string | undefined> {
  const { statuses } = await azure.compute.virtualMachines.instanceView(group, name)
  return statuses?.find(({ code }) => code?.startsWith('PowerState/'))?.code
}

async function interfaceFor(name: string): Promise<string> {
  const address = await azure.network.publicIPAddresses.createOrUpdate(group, `${name}-ip`, {
    location,
    sku: { name: 'Standard' },
    publicIPAllocationMethod: 'Static',
  })
  const subnet = await azure.network.subnets.get(group, 'net', 'default')
  const created = await azure.network.networkInterfaces.createOrUpdate(group, `${name}-nic`, {
    location,
    ipConfigurations: [
      { name: 'primary', subnet: { id: subnet.id }, publicIPAddress: { id: address.id, deleteOption: 'Delete' } },
    ],
  })
  expect(created.provisioningState).toBe('Succeeded')
  return created.id ?? ''
}

test("manages all resources with Azure's newest clients and their pollers", async () => {
  printVersions(...newestAzurePackages)
  const { compute, network, resources, policy, authorization, marketplace } = azure

  await resources.resourceGroups.createOrUpdate(group, { location, tags: { owner: 'acme' } })
  expect((await resources.resourceGroups.get(group)).tags).toEqual({ owner: 'acme' })
  expect((await collect(resources.resourceGroups.list())).map(({ name }) => name)).toEqual([group])

  const securityGroup = await network.networkSecurityGroups.createOrUpdate(group, 'ports', { location })
  await network.securityRules.createOrUpdate(group, 'ports', 'ssh', sshRule)
  await network.virtualNetworks.createOrUpdate(group, 'net', {
    location,
    addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
    subnets: [{ name: 'default', addressPrefix: '10.0.0.0/24', networkSecurityGroup: { id: securityGroup.id } }],
  })

  const sizes = '/providers/Microsoft.Authorization/policyDefinitions/cccc23c7-8427-4f53-ad12-b6a63eb452b3'
  const assigned = await policy.policyAssignments.create(scope, 'sizes', {
    policyDefinitionId: sizes,
    parameters: { listOfAllowedSKUs: { value: ['Standard_D2s_v3'] } },
  })
  expect(assigned.instanceId).toMatch(/^[0-9a-f-]{36}$/)
  expect((await policy.policyAssignments.get(scope, 'sizes')).instanceId).toBe(assigned.instanceId)
  const terms = await marketplace.marketplaceAgreements.get('virtualmachine', 'acme', 'lab', 'basic')
  const signed = await marketplace.marketplaceAgreements.create('virtualmachine', 'acme', 'lab', 'basic', {
    ...terms,
    accepted: true,
  })
  expect(signed.accepted).toBe(true)
  expect(await collect(authorization.roleAssignments.listForResourceGroup(group))).toEqual([])

  const body = { ...clientMachine('lab-1', await interfaceFor('lab-1')), tags: { 'trainyard-machine': '1' } }
  const created = await compute.virtualMachines.createOrUpdate(group, 'lab-1', body)
  expect([created.name, created.provisioningState, created.tags]).toEqual(['lab-1', 'Succeeded', body.tags])
  expect(await powerOf('lab-1')).toBe('PowerState/running')
  await compute.virtualMachines.restart(group, 'lab-1')
  await compute.virtualMachines.powerOff(group, 'lab-1')
  expect(await powerOf('lab-1')).toBe('PowerState/stopped')
  await compute.virtualMachines.deallocate(group, 'lab-1')
  expect(await powerOf('lab-1')).toBe('PowerState/deallocated')
  await compute.virtualMachines.start(group, 'lab-1')
  expect(await powerOf('lab-1')).toBe('PowerState/running')
  const newTags = { 'trainyard-machine': '1', course: 'unix' }
  expect((await compute.virtualMachines.update(group, 'lab-1', { tags: newTags })).tags).toEqual(newTags)

  await compute.virtualMachines.deallocate(group, 'lab-1')
  await compute.galleries.createOrUpdate(group, 'images', { location })
  const definition = await compute.galleryImages.createOrUpdate(group, 'images', 'lab', {
    location,
    osType: 'Linux',
    osState: 'Specialized',
    hyperVGeneration: 'V2',
    features: [{ name: 'SecurityType', value: 'TrustedLaunch' }],
    identifier: { publisher: 'acme', offer: 'lab', sku: 'one' },
  })
  expect(definition.provisioningState).toBe('Succeeded')
  const version = await compute.galleryImageVersions.createOrUpdate(group, 'images', 'lab', '1.0.0', {
    location,
    publishingProfile: { targetRegions: [{ name: location }] },
    storageProfile: { source: { virtualMachineId: created.id } },
  })
  expect(version.provisioningState).toBe('Succeeded')
  const copied = await compute.virtualMachines.createOrUpdate(group, 'lab-2', {
    location,
    hardwareProfile: body.hardwareProfile,
    securityProfile: { securityType: 'TrustedLaunch' },
    storageProfile: {
      imageReference: { id: version.id },
      osDisk: { createOption: 'FromImage', deleteOption: 'Delete' },
    },
    networkProfile: {
      networkInterfaces: [{ id: await interfaceFor('lab-2'), primary: true, deleteOption: 'Delete' }],
    },
  })
  expect(copied.provisioningState).toBe('Succeeded')
  const access = await compute.virtualMachineExtensions.createOrUpdate(group, 'lab-2', 'password', {
    location,
    publisher: 'Microsoft.OSTCExtensions',
    typePropertiesType: 'VMAccessForLinux',
    typeHandlerVersion: '1.5',
    protectedSettings: { username: 'learner', password: 'Own-secret-1' },
  })
  expect([access.provisioningState, access.protectedSettings]).toEqual(['Succeeded', undefined])

  const machines = await collect(compute.virtualMachines.listAll())
  expect(new Set(machines.map(({ name }) => name))).toEqual(new Set(['lab-1', 'lab-2']))
  const disks = await collect(compute.disks.listByResourceGroup(group))
  expect(new Set(disks.map(({ diskState }) => diskState))).toEqual(new Set(['Attached', 'Reserved']))
  expect((await collect(compute.usage.list(location))).length).toBeGreaterThan(3)
  expect((await collect(network.usages.list(location))).length).toBeGreaterThan(3)
  const offered = await collect(compute.resourceSkus.list({ filter: `location eq '${location}'` }))
  expect(offered.map(({ name }) => name)).toContain('Standard_D2s_v3')

  for (const name of ['lab-1', 'lab-2']) await compute.virtualMachines.delete(group, name)
  expect(await collect(compute.virtualMachines.list(group))).toEqual([])
  expect(await collect(compute.disks.list())).toEqual([])
  expect(await collect(network.networkInterfaces.list(group))).toEqual([])
  expect(await collect(network.publicIPAddresses.list(group))).toEqual([])
  await compute.galleryImageVersions.delete(group, 'images', 'lab', '1.0.0')
  await compute.galleryImages.delete(group, 'images', 'lab')
  await compute.galleries.delete(group, 'images')
  await policy.policyAssignments.delete(scope, 'sizes')
  await network.virtualNetworks.delete(group, 'net')
  await network.networkSecurityGroups.delete(group, 'ports')
  await expect(compute.virtualMachines.get(group, 'lab-1')).rejects.toMatchObject({ code: 'ResourceNotFound' })
  await resources.resourceGroups.delete(group)
  await expect(resources.resourceGroups.get(group)).rejects.toMatchObject({ code: 'ResourceGroupNotFound' })
  expect(Object.fromEntries(requestedAddresses)).toMatchObject({
    resourceGroups: '2025-04-01',
    'Microsoft.Compute/virtualMachines': '2026-04-01',
    'Microsoft.Compute/disks': '2026-03-02',
    'Microsoft.Compute/galleries': '2025-12-03',
    'Microsoft.Compute/skus': '2021-07-01',
    'Microsoft.Network/networkInterfaces': '2026-01-01',
    'Microsoft.Authorization/policyAssignments': '2025-03-01',
    'Microsoft.Authorization/roleAssignments': '2022-04-01',
    'Microsoft.MarketplaceOrdering/offerTypes': '2021-01-01',
  })
})

const types = publishedTypes(openApi)
/** In lists of machines an extension has only its ID, as recorded, although its location is published as required. */
const KNOWN_DIFFERENCE = 'Microsoft.Compute/virtualMachines.resources[0].location is missing'

test.skipIf(types === undefined)(
  `returns resources in the published format of their version (skipped when ${whyNoOpenApi})`,
  () => {
    const results = exchanges.map((exchange) => types?.validate(exchange) ?? { checked: 0, violations: [] })
    expect(results.flatMap(({ violations }) => violations)).toEqual([KNOWN_DIFFERENCE])
    const checkedResources = results.reduce((sum, each) => sum + each.checked, 0)
    process.stdout.write(`Compared ${checkedResources} resources with Azure's newest published types.\n`)
    expect(checkedResources).toBeGreaterThanOrEqual(30)
    const machine = exchanges.find(({ method, url }) => method === 'PUT' && url.includes('/virtualMachines/lab-1?'))
    if (machine === undefined) throw new Error('No machine was created.')
    const withChange = (change: object) =>
      types?.validate({ ...machine, body: JSON.stringify({ ...JSON.parse(machine.body), ...change }) })
    expect(withChange({ colour: 'blue' })?.violations).toEqual([
      'Microsoft.Compute/virtualMachines.colour is not published',
    ])
    expect(withChange({ location: 7 })?.violations).toEqual([
      'Microsoft.Compute/virtualMachines.location is not a string',
    ])
  },
)
