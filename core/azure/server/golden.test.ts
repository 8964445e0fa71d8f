import { afterAll, describe, expect, test } from 'vitest'
import { EXAMPLE_DATE, SOURCE, specification } from '@trainyard/platform/test/azure-official/test-official.ts'
import { watchContract } from '@trainyard/platform/test/azure-official/watch.ts'
import { exampleCloud, shapes, SPEC } from './test-examples.ts'

/**
 * Azure's published examples. Each example is compared with the adapter's results and with its requests, property by
 * property.
 */

const place = { resourceGroup: SPEC.resourceGroup, name: SPEC.name }

describe.skipIf(specification === null)(`official examples (${SOURCE})`, () => {
  const watch = watchContract()
  afterAll(async () => {
    await watch.settle()
  })

  const cloudOn = (answers: Parameters<typeof exampleCloud>[0] = {}) => exampleCloud(answers, watch)

  test('creates a machine in order, and returns Azure’s time', async () => {
    const { cloud, requests } = cloudOn()
    expect(await cloud.createMachine(SPEC, signal())).toEqual({ at: EXAMPLE_DATE })
    const operations = requests.map(({ operation }) => operation)
    expect(operations.slice(0, 2)).toEqual(['ResourceGroups_Get', 'ResourceGroups_CreateOrUpdate'])
    expect(operations.slice(-3)).toEqual([
      'PublicIPAddresses_CreateOrUpdate',
      'NetworkInterfaces_CreateOrUpdate',
      'VirtualMachines_CreateOrUpdate',
    ])
    expect(operations.slice(2, -3).toSorted()).toEqual([
      'NetworkSecurityGroups_CreateOrUpdate',
      'NetworkSecurityGroups_Get',
      'NetworkSecurityGroups_Get',
      'NetworkSecurityGroups_Get',
      'SecurityRules_CreateOrUpdate',
      'VirtualNetworks_CreateOrUpdate',
      'VirtualNetworks_Get',
      'VirtualNetworks_Get',
    ])
  })

  test('requests only three resources for a second machine', async () => {
    const { cloud, requests } = cloudOn()
    await cloud.createMachine(SPEC, signal())
    requests.length = 0
    await cloud.createMachine({ ...SPEC, name: 'windows-101-2' }, signal())
    expect(requests.map(({ operation }) => operation)).toEqual([
      'PublicIPAddresses_CreateOrUpdate',
      'NetworkInterfaces_CreateOrUpdate',
      'VirtualMachines_CreateOrUpdate',
    ])
  })

  test('sends requests in the shape of the official examples, with these intended differences', async () => {
    const { cloud, requests } = cloudOn()
    await cloud.createMachine(SPEC, signal())
    expect(shapes(requests, 'VirtualMachines_CreateOrUpdate', 'Create a vm with password authentication.'))
      .toMatchInlineSnapshot(`
      {
        "less": [],
        "more": [
          "properties.licenseType",
          "properties.networkProfile.networkInterfaces[].properties.deleteOption",
          "properties.osProfile.windowsConfiguration.enableAutomaticUpdates",
          "properties.osProfile.windowsConfiguration.provisionVMAgent",
          "properties.storageProfile.osDisk.deleteOption",
          "tags",
        ],
      }
    `)
    expect(shapes(requests, 'NetworkInterfaces_CreateOrUpdate', 'Create network interface')).toMatchInlineSnapshot(`
      {
        "less": [
          "properties.disableTcpStateTracking",
          "properties.enableAcceleratedNetworking",
          "properties.ipConfigurations[].properties.privateIPAddressPrefixLength",
        ],
        "more": [
          "properties.ipConfigurations[].properties.privateIPAllocationMethod",
          "properties.ipConfigurations[].properties.publicIPAddress.properties.deleteOption",
          "properties.networkSecurityGroup.id",
          "tags",
        ],
      }
    `)
    expect(shapes(requests, 'PublicIPAddresses_CreateOrUpdate', 'Create public IP address allocation method'))
      .toMatchInlineSnapshot(`
        {
          "less": [
            "properties.idleTimeoutInMinutes",
            "properties.publicIPAddressVersion",
            "sku.tier",
          ],
          "more": [
            "properties.deleteOption",
            "tags",
          ],
        }
      `)
    expect(shapes(requests, 'VirtualNetworks_CreateOrUpdate', 'Create virtual network with subnet'))
      .toMatchInlineSnapshot(`
      {
        "less": [],
        "more": [
          "tags",
        ],
      }
    `)
    expect(shapes(requests, 'NetworkSecurityGroups_CreateOrUpdate', 'Create network security group with rule'))
      .toMatchInlineSnapshot(`
      {
        "less": [],
        "more": [
          "tags",
        ],
      }
    `)
    expect(shapes(requests, 'SecurityRules_CreateOrUpdate', 'Create security rule')).toMatchInlineSnapshot(`
      {
        "less": [],
        "more": [
          "name",
        ],
      }
    `)
    expect(shapes(requests, 'ResourceGroups_CreateOrUpdate', 'Create or update a resource group'))
      .toMatchInlineSnapshot(`
      {
        "less": [],
        "more": [
          "tags",
        ],
      }
    `)
  })

  test('sends a marketplace machine in the shape of the official example with a plan', async () => {
    const { cloud, requests } = cloudOn()
    const plan = { publisher: 'acme', product: 'offer', name: 'sku' }
    const image = {
      kind: 'marketplace',
      publisher: 'acme',
      offer: 'offer',
      sku: 'sku',
      version: 'latest',
      plan,
    } as const
    await cloud.createMachine({ ...SPEC, image }, signal())
    expect(
      shapes(requests, 'VirtualMachines_CreateOrUpdate', 'Create a vm with a marketplace image plan.').less,
    ).toEqual([])
  })

  test('sends no account for a machine from our own specialised image, as the official example', async () => {
    const { cloud, requests } = cloudOn()
    const id = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/galleries/a/images/b/versions/1.0.0'
    await cloud.createMachine({ ...SPEC, image: { kind: 'own', id } }, signal())
    const { less, more } = shapes(
      requests,
      'VirtualMachines_CreateOrUpdate',
      'Create a vm from a specialized shared image.',
    )
    expect(less).toEqual([])
    expect(more.filter((path) => path.includes('osProfile'))).toEqual([])
  })

  test('creates an image from the machine in its own gallery, and then finds it ready', async () => {
    const { cloud, requests } = cloudOn()
    const image = { ...SPEC, id: '0198c0de-0000-7000-8000-00000000e001' }
    expect(await cloud.captureMachine(image, signal())).toMatchObject({ state: 'working', progress: 0 })
    expect(requests.map(({ operation }) => operation)).toEqual([
      'GalleryImageVersions_Get',
      'VirtualMachines_Get',
      'Disks_Get',
      'Galleries_Get',
      'Galleries_CreateOrUpdate',
      'Galleries_Get',
      'GalleryImages_Get',
      'GalleryImages_CreateOrUpdate',
      'GalleryImages_Get',
      'GalleryImageVersions_CreateOrUpdate',
    ])
    expect(shapes(requests, 'Galleries_CreateOrUpdate', 'Create or update a simple gallery.')).toMatchInlineSnapshot(`
      {
        "less": [
          "properties.description",
        ],
        "more": [
          "tags",
        ],
      }
    `)
    expect(shapes(requests, 'GalleryImages_CreateOrUpdate', 'Create or update a simple gallery image.'))
      .toMatchInlineSnapshot(`
      {
        "less": [],
        "more": [
          "tags",
        ],
      }
    `)
    const { less, more } = shapes(
      requests,
      'GalleryImageVersions_CreateOrUpdate',
      'Create or update a simple Gallery Image Version using VM as source.',
    )
    expect(more).toEqual(['tags'])
    expect(less.filter((path) => path.includes('storageProfile.source'))).toEqual([])
    expect(await cloud.captureMachine(image, signal())).toMatchObject({ state: 'ready' })
  })

  test('sends a password only in the protected settings of an extension', async () => {
    const { cloud, requests } = cloudOn()
    const account = { ...SPEC, username: SPEC.adminUsername, password: SPEC.adminPassword, passwordNumber: 1 }
    expect(await cloud.setPassword(account, signal())).toBe('working')
    const operation = 'VirtualMachineExtensions_CreateOrUpdate'
    const { more } = shapes(requests, operation, 'VirtualMachineExtension_CreateOrUpdate_MaximumSet_Gen')
    expect(more).toEqual(['properties.protectedSettings.Password', 'properties.settings.UserName'])
    const [, put] = requests
    expect(JSON.stringify(put?.body).split(SPEC.adminPassword)).toHaveLength(2)
  })

  test.each(['startMachine', 'stopMachine', 'restartMachine'] as const)('makes one request for %s', async (call) => {
    const { cloud, requests } = cloudOn()
    expect(await cloud[call](place, signal())).toEqual({ at: EXAMPLE_DATE })
    expect(requests).toHaveLength(1)
  })

  test('deletes the machine first, then its parts, and ends when all parts are absent', async () => {
    const deletion = { ...place, firstSeenAt: null, isKnownToExist: false }
    const machine = cloudOn()
    expect(await machine.cloud.deleteMachine(deletion, signal())).toEqual({ at: EXAMPLE_DATE, remaining: 'machine' })
    expect(machine.requests.map(({ operation }) => operation)).toEqual([
      'VirtualMachines_Get',
      'VirtualMachines_Delete',
    ])

    const absentMachine = cloudOn({ VirtualMachines_Get: ['absent'] })
    expect((await absentMachine.cloud.deleteMachine(deletion, signal())).remaining).toBe('parts')
    expect(absentMachine.requests.map(({ operation }) => operation).toSorted()).toEqual([
      'Disks_Delete',
      'Disks_Get',
      'NetworkInterfaces_Delete',
      'NetworkInterfaces_Get',
      'VirtualMachines_Get',
    ])

    const address = cloudOn({
      VirtualMachines_Get: ['absent'],
      NetworkInterfaces_Get: ['absent'],
      Disks_Get: ['absent'],
    })
    expect((await address.cloud.deleteMachine(deletion, signal())).remaining).toBe('parts')
    expect(address.requests.at(-1)?.operation).toBe('PublicIPAddresses_Delete')

    const EMPTY_READS = ['VirtualMachines_Get', 'NetworkInterfaces_Get', 'Disks_Get', 'PublicIPAddresses_Get']
    const absentCloud = cloudOn(Object.fromEntries(EMPTY_READS.map((id) => [id, ['absent'] as const])))
    expect(await absentCloud.cloud.deleteMachine(deletion, signal())).toEqual({
      at: EXAMPLE_DATE,
      remaining: 'nothing',
    })
  })

  test('reads the official machine and address', async () => {
    expect(await cloudOn().cloud.getMachine(place, signal())).toMatchInlineSnapshot(`
      {
        "address": null,
        "at": 2026-11-21T02:03:04.000Z,
        "seen": {
          "state": "changing",
          "toward": "unknown",
        },
      }
    `)
    const absent = cloudOn({ VirtualMachines_Get: ['absent'] })
    expect(await absent.cloud.getMachine(place, signal())).toEqual({
      at: EXAMPLE_DATE,
      seen: { state: 'absent' },
      address: null,
    })
  })

  test('lists only machines with our tag', async () => {
    const { cloud } = cloudOn()
    const sentPaths: string[] = []
    for await (const { name } of cloud.listTaggedMachines(signal())) sentPaths.push(name)
    expect(sentPaths).toEqual([])
  })
})

function signal(): AbortSignal {
  return AbortSignal.timeout(10_000)
}
