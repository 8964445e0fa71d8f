import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startTestEmulator,
  inGroup,
  inSubscription,
  type TestEmulator,
  subscription,
} from '@trainyard/platform/emulator/test/test-emulator.ts'
import { exchangeOf, type Exchange } from '@trainyard/platform/emulator/test/exchange.ts'
import { sshRule } from '@trainyard/platform/emulator/test/lab.ts'
import { officialValidator, openApi, whyNoOpenApi } from '@trainyard/platform/emulator/test/official-validator.ts'
import { ComputeManagementClient } from '@azure/arm-compute'
import { NetworkManagementClient } from '@azure/arm-network'
import { ResourceManagementClient } from '@azure/arm-resources'
import { azureCredential, azureTransport } from '@trainyard/platform/emulator/test/azure-transport.ts'

const location = 'southindia'
const exchanges: Exchange[] = []
let emulator: TestEmulator

/** Poll addresses appear only in replies, not in the published interface. */
const isPoll = ({ url }: Exchange): boolean => /\/(?:disk|caps)?operation(?:s|results)\//i.test(url)

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

async function drain(items: AsyncIterable<unknown>): Promise<number> {
  return (await collect(items)).length
}

describe.skipIf(openApi === undefined)(`Azure's own SDK and validator (skipped when ${whyNoOpenApi})`, () => {
  let validate: Awaited<ReturnType<typeof officialValidator>>

  beforeAll(async () => {
    validate = await officialValidator(openApi ?? '')
    emulator = await startTestEmulator()
  })
  afterAll(() => emulator.stop())

  test('serves every operation to the SDK', async () => {
    const { compute, network, resources } = officialClients(emulator.url, (exchange) => exchanges.push(exchange))
    const group = 'labs'

    await resources.resourceGroups.createOrUpdate(group, { location, tags: { owner: 'acme' } })
    await resources.resourceGroups.createOrUpdate(group, { location })
    await resources.resourceGroups.update(group, { tags: { owner: 'acme' } })
    expect((await resources.resourceGroups.get(group)).location).toBe(location)
    expect((await resources.resourceGroups.checkExistence(group)).body).toBe(true)
    expect((await resources.resourceGroups.checkExistence('nowhere')).body).toBe(false)
    expect(await drain(resources.resourceGroups.list())).toBe(1)

    const securityGroup = await network.networkSecurityGroups.beginCreateOrUpdateAndWait(group, 'securityGroup', {
      location,
    })
    await network.securityRules.beginCreateOrUpdateAndWait(group, 'securityGroup', 'ssh', sshRule)
    expect((await network.securityRules.get(group, 'securityGroup', 'ssh')).provisioningState).toBe('Succeeded')
    expect(await drain(network.securityRules.list(group, 'securityGroup'))).toBe(1)

    await network.virtualNetworks.beginCreateOrUpdateAndWait(group, 'net', {
      location,
      addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
      subnets: [{ name: 'default', addressPrefix: '10.0.0.0/24', networkSecurityGroup: { id: securityGroup.id } }],
    })
    const subnet = await network.subnets.beginCreateOrUpdateAndWait(group, 'net', 'more', {
      addressPrefix: '10.0.1.0/24',
    })
    await network.subnets.beginCreateOrUpdateAndWait(group, 'net', 'spare', { addressPrefix: '10.0.2.0/24' })
    await network.subnets.beginDeleteAndWait(group, 'net', 'spare')
    expect((await network.subnets.get(group, 'net', 'more')).addressPrefix).toBe('10.0.1.0/24')
    expect(await drain(network.subnets.list(group, 'net'))).toBe(2)

    const address = await network.publicIPAddresses.beginCreateOrUpdateAndWait(group, 'address', {
      location,
      sku: { name: 'Standard' },
      publicIPAllocationMethod: 'Static',
      tags: { owner: 'acme' },
    })
    expect(address.ipAddress).toBe('203.0.113.1')
    const networkInterface = await network.networkInterfaces.beginCreateOrUpdateAndWait(group, 'networkInterface', {
      location,
      networkSecurityGroup: { id: securityGroup.id },
      ipConfigurations: [
        {
          name: 'primary',
          subnet: { id: subnet.id },
          publicIPAddress: { id: address.id, deleteOption: 'Delete' },
        },
      ],
    })
    expect(networkInterface.ipConfigurations?.[0]?.privateIPAddress).toBe('10.0.1.4')

    const machine = {
      location,
      tags: { 'trainyard-machine': '1' },
      hardwareProfile: { vmSize: 'Standard_DS1_v2' },
      licenseType: 'Windows_Server',
      storageProfile: {
        imageReference: {
          publisher: 'MicrosoftWindowsServer',
          offer: 'WindowsServer',
          sku: '2022-datacenter-azure-edition',
          version: 'latest',
        },
        osDisk: { createOption: 'FromImage', deleteOption: 'Delete' },
        dataDisks: [{ lun: 0, createOption: 'Empty', diskSizeGB: 8, deleteOption: 'Delete' }],
      },
      osProfile: { computerName: 'lab-1', adminUsername: 'learner', adminPassword: 'Sup3r-secret' },
      networkProfile: { networkInterfaces: [{ id: networkInterface.id, primary: true, deleteOption: 'Delete' }] },
    }
    const created = await compute.virtualMachines.beginCreateOrUpdateAndWait(group, 'lab-1', machine)
    expect(created.provisioningState).toBe('Succeeded')
    await compute.virtualMachines.beginCreateOrUpdateAndWait(group, 'lab-1', machine)
    const machineReply = await compute.virtualMachines.get(group, 'lab-1', { expand: 'instanceView' })
    expect(machineReply.instanceView?.statuses?.at(-1)?.code).toBe('PowerState/running')
    await compute.virtualMachines.get(group, 'lab-1')
    await compute.virtualMachines.instanceView(group, 'lab-1')
    expect(await drain(compute.virtualMachines.list(group))).toBe(1)
    expect(await drain(compute.virtualMachines.listAll({ statusOnly: 'true' }))).toBe(1)
    expect(await drain(compute.virtualMachines.listAll())).toBe(1)
    for (const change of ['PowerOff', 'Start', 'Restart', 'Deallocate'] as const) {
      await compute.virtualMachines[`begin${change}AndWait`](group, 'lab-1')
    }
    await compute.virtualMachines.instanceView(group, 'lab-1')

    await compute.galleries.beginCreateOrUpdateAndWait(group, 'images', { location })
    expect((await compute.galleries.get(group, 'images')).provisioningState).toBe('Succeeded')
    await compute.galleryImages.beginCreateOrUpdateAndWait(group, 'images', 'lab', {
      location,
      osType: 'Windows',
      osState: 'Specialized',
      hyperVGeneration: 'V2',
      features: [{ name: 'SecurityType', value: 'TrustedLaunch' }],
      identifier: { publisher: 'acme', offer: 'lab', sku: 'one' },
    })
    expect((await compute.galleryImages.get(group, 'images', 'lab')).osState).toBe('Specialized')
    await compute.galleryImageVersions.beginCreateOrUpdateAndWait(group, 'images', 'lab', '1.0.0', {
      location,
      publishingProfile: { targetRegions: [{ name: location }] },
      storageProfile: { source: { virtualMachineId: created.id } },
    })
    const version = await compute.galleryImageVersions.get(group, 'images', 'lab', '1.0.0', {
      expand: 'ReplicationStatus',
    })
    expect(version.replicationStatus?.summary).toEqual([
      { region: location, state: 'Completed', details: '', progress: 100 },
    ])
    await compute.virtualMachines.beginStartAndWait(group, 'lab-1')
    const access = {
      location,
      publisher: 'Microsoft.Compute',
      typePropertiesType: 'VMAccessAgent',
      typeHandlerVersion: '2.4',
      settings: { UserName: 'learner' },
      protectedSettings: { Password: 'An0ther-secret' },
    }
    const extended = await compute.virtualMachineExtensions.beginCreateOrUpdateAndWait(group, 'lab-1', 'a', access)
    expect(extended.protectedSettings).toBeUndefined()
    const extensionReply = await compute.virtualMachineExtensions.get(group, 'lab-1', 'a', { expand: 'instanceView' })
    expect(extensionReply.instanceView?.statuses?.[0]?.code).toBe('ProvisioningState/succeeded')
    await compute.virtualMachines.beginDeallocateAndWait(group, 'lab-1')

    const [osDisk] = await collect(compute.disks.list())
    expect((await compute.disks.get(group, osDisk?.name ?? '')).diskState).toBe('Reserved')
    expect(await drain(compute.disks.listByResourceGroup(group))).toBe(2)
    expect(await drain(network.networkInterfaces.listAll())).toBe(1)
    expect(await drain(network.networkInterfaces.list(group))).toBe(1)
    expect((await network.networkInterfaces.get(group, 'networkInterface')).virtualMachine?.id).toBe(created.id)
    expect(await drain(network.publicIPAddresses.listAll())).toBe(1)
    expect(await drain(network.publicIPAddresses.list(group))).toBe(1)
    expect((await network.publicIPAddresses.get(group, 'address')).ipConfiguration?.id).toContain('/networkInterface/')
    expect(await drain(network.networkSecurityGroups.listAll())).toBe(1)
    expect(await drain(network.networkSecurityGroups.list(group))).toBe(1)
    expect((await network.networkSecurityGroups.get(group, 'securityGroup')).networkInterfaces).toHaveLength(1)
    expect(await drain(network.virtualNetworks.listAll())).toBe(1)
    expect(await drain(network.virtualNetworks.list(group))).toBe(1)
    expect((await network.virtualNetworks.get(group, 'net')).subnets).toHaveLength(2)

    await network.virtualNetworks.updateTags(group, 'net', { tags: { a: 'b' } })
    await network.networkSecurityGroups.updateTags(group, 'securityGroup', { tags: { a: 'b' } })
    await network.networkInterfaces.updateTags(group, 'networkInterface', { tags: { a: 'b' } })
    await network.publicIPAddresses.updateTags(group, 'address', { tags: { a: 'b' } })
    await compute.virtualMachines.beginUpdateAndWait(group, 'lab-1', { tags: { a: 'b' } })

    expect(await drain(compute.usageOperations.list(location))).toBeGreaterThan(3)
    expect(await drain(network.usages.list(location))).toBeGreaterThan(3)
    const sizes = await collect(compute.resourceSkus.list({ filter: `location eq '${location}'` }))
    expect(sizes.map(({ name }) => name)).toContain('Standard_DS1_v2')

    await compute.virtualMachines.beginDeleteAndWait(group, 'lab-1')
    await compute.galleryImageVersions.beginDeleteAndWait(group, 'images', 'lab', '1.0.0')
    await compute.galleryImages.beginDeleteAndWait(group, 'images', 'lab')
    await compute.galleries.beginDeleteAndWait(group, 'images')
    expect(await drain(network.publicIPAddresses.listAll())).toBe(0)
    await network.publicIPAddresses.beginCreateOrUpdateAndWait(group, 'spare', {
      location,
      sku: { name: 'Standard' },
      publicIPAllocationMethod: 'Static',
    })
    await network.publicIPAddresses.beginDeleteAndWait(group, 'spare')
    await network.networkInterfaces.beginCreateOrUpdateAndWait(group, 'spare', {
      location,
      ipConfigurations: [{ name: 'primary', subnet: { id: subnet.id } }],
    })
    await network.networkInterfaces.beginDeleteAndWait(group, 'spare')
    await network.securityRules.beginDeleteAndWait(group, 'securityGroup', 'ssh')
    await network.virtualNetworks.beginDeleteAndWait(group, 'net')
    await network.networkSecurityGroups.beginDeleteAndWait(group, 'securityGroup')
    await network.networkSecurityGroups.beginDeleteAndWait(group, 'securityGroup')
    await expect(compute.virtualMachines.get(group, 'lab-1')).rejects.toMatchObject({ code: 'ResourceNotFound' })
    await resources.resourceGroups.beginDeleteAndWait(group)
    await expect(resources.resourceGroups.get(group)).rejects.toMatchObject({ code: 'ResourceGroupNotFound' })
  })

  test('serves calls that these SDK clients do not have', async () => {
    const terms = `${inSubscription}/providers/Microsoft.MarketplaceOrdering/offerTypes/virtualmachine/publishers/acme/offers/lab/plans/basic/agreements/current`
    for (const [method, path, body] of [
      ['GET', inSubscription, undefined],
      ['GET', terms, undefined],
      ['PUT', terms, { properties: { publisher: 'acme', product: 'lab', plan: 'basic', accepted: true } }],
      ['PUT', inGroup, { location }],
      ['DELETE', `${inGroup}/providers/Microsoft.Compute/disks/none`, undefined],
    ] as const) {
      const reply = await emulator.arm(method, path, body)
      expect(reply.status).toBeLessThan(300)
      exchanges.push(exchangeOf(method, path, body, reply))
    }
  })

  test('sends every request and reply as published by Azure', async () => {
    const validated = exchanges.filter((exchange) => !isPoll(exchange))
    const violations: string[] = []
    const operations = new Set<string>()
    for (const exchange of validated) {
      const verdict = await validate(exchange)
      operations.add(verdict.operation)
      violations.push(...verdict.violations)
    }
    process.stdout.write(`Validated ${validated.length} messages of ${operations.size} operations.\n`)
    expect(violations).toEqual([])
    expect(operations).not.toContain('unknownOperationId')
    expect(operations.size).toBeGreaterThanOrEqual(66)
  })

  test('detects violations of the published interface', async () => {
    const valid = exchanges.find(({ method, url }) => method === 'GET' && /virtualMachines\/lab-1\?/.test(url))
    if (valid === undefined) throw new Error('No machine was read.')
    const changed = JSON.parse(valid.body) as { properties: object }
    const body = JSON.stringify({ ...changed, properties: { ...changed.properties, colour: 'blue' } })
    expect((await validate({ ...valid, body })).violations.join()).toContain('colour')
    expect((await validate({ ...valid, status: 206 })).violations.join()).toContain('INVALID_RESPONSE_CODE')
  })
})

/** Returns the Azure SDK clients that the server uses, connected to the emulator. `watch` receives every exchange. */
function officialClients(url: string, watch: (exchange: Exchange) => void) {
  const options = { httpClient: azureTransport(url, watch) }
  return {
    compute: new ComputeManagementClient(azureCredential, subscription, options),
    network: new NetworkManagementClient(azureCredential, subscription, options),
    resources: new ResourceManagementClient(azureCredential, subscription, options),
  }
}
