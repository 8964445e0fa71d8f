import { afterAll, describe, expect, test } from 'vitest'
import { exampleWire, type ExampleAnswer } from '../azure-official/example-wire.ts'
import { readSpecification, specificationRoot, WHERE_TO_FIND } from '../azure-official/specification.ts'
import { watchContract } from '../azure-official/watch.ts'
import type { MachineSpec } from '../cloud.ts'
import { azureCloud } from './cloud.ts'

/** The adapter against Azure's published examples: what it makes of these replies, and what it asks, property by property. */

const root = specificationRoot()
const specification = root === null ? null : readSpecification(root)
const date = new Date('2026-11-21T02:03:04Z')

const EXAMPLES: Readonly<Record<string, readonly ExampleAnswer[]>> = {
  ResourceGroups_Get: ['absent'],
  ResourceGroups_CreateOrUpdate: [{ example: 'Create or update a resource group', status: 201 }],
  VirtualNetworks_Get: ['absent', { example: 'Get virtual network', status: 200 }],
  VirtualNetworks_CreateOrUpdate: [{ example: 'Create virtual network with subnet', status: 201 }],
  // Its one rule is not ours, so the adapter adds the door that the machine needs.
  NetworkSecurityGroups_Get: ['absent', { example: 'Get network security group', status: 200 }],
  NetworkSecurityGroups_CreateOrUpdate: [{ example: 'Create network security group with rule', status: 201 }],
  SecurityRules_CreateOrUpdate: [{ example: 'Create security rule', status: 201 }],
  PublicIPAddresses_CreateOrUpdate: [{ example: 'Create public IP address allocation method', status: 201 }],
  PublicIPAddresses_Get: [{ example: 'Get public IP address', status: 200 }],
  PublicIPAddresses_Delete: [{ example: 'Delete public IP address', status: 202 }],
  NetworkInterfaces_CreateOrUpdate: [{ example: 'Create network interface', status: 201 }],
  NetworkInterfaces_Get: [{ example: 'Get network interface', status: 200 }],
  NetworkInterfaces_Delete: [{ example: 'Delete network interface', status: 202 }],
  Disks_Get: [{ example: 'Get information about a managed disk.', status: 200 }],
  Disks_Delete: [{ example: 'Delete a managed disk.', status: 202 }],
  VirtualMachines_CreateOrUpdate: [{ example: 'Create a vm with password authentication.', status: 201 }],
  VirtualMachines_Get: [{ example: 'Get a Virtual Machine.', status: 200 }],
  VirtualMachines_Delete: [{ example: 'Force delete a VM', status: 202 }],
  VirtualMachines_Start: [{ example: 'VirtualMachine_Start_MaximumSet_Gen', status: 202 }],
  VirtualMachines_Deallocate: [{ example: 'VirtualMachine_Deallocate_MaximumSet_Gen', status: 202 }],
  VirtualMachines_Restart: [{ example: 'VirtualMachine_Restart_MaximumSet_Gen', status: 202 }],
  VirtualMachineExtensions_Get: ['absent', { example: 'VirtualMachineExtension_Get_MaximumSet_Gen', status: 200 }],
  VirtualMachineExtensions_CreateOrUpdate: [
    { example: 'VirtualMachineExtension_CreateOrUpdate_MaximumSet_Gen', status: 201 },
  ],
  Galleries_Get: ['absent', { example: 'Get a gallery.', status: 200 }],
  Galleries_CreateOrUpdate: [{ example: 'Create or update a simple gallery.', status: 201 }],
  GalleryImages_Get: ['absent', { example: 'Get a gallery image.', status: 200 }],
  GalleryImages_CreateOrUpdate: [{ example: 'Create or update a simple gallery image.', status: 201 }],
  GalleryImageVersions_Get: [
    'absent',
    { example: 'Get a gallery image version with replication status.', status: 200 },
  ],
  GalleryImageVersions_CreateOrUpdate: [
    { example: 'Create or update a simple Gallery Image Version using VM as source.', status: 201 },
  ],
  // The larger example's next link leads nowhere.
  VirtualMachines_ListAll: [{ example: 'VirtualMachine_ListAll_MinimumSet_Gen', status: 200 }],
}

/** What the examples call the body, each in its own way. */
const BODIES = [
  'parameters',
  'securityRuleParameters',
  'extensionParameters',
  'gallery',
  'galleryImage',
  'galleryImageVersion',
]

const spec: MachineSpec = {
  id: '0198c0de-0000-7000-8000-000000000001',
  organisation: 'Acme Learning',
  training: 'Windows 101',
  resourceGroup: 'acme-labs',
  name: 'windows-101-1',
  securityGroup: 'windows-101-ports',
  location: 'southindia',
  network: 'labs',
  size: 'Standard_D2s_v3',
  os: 'Windows',
  licence: 'Windows_Server',
  image: {
    kind: 'platform',
    publisher: 'MicrosoftWindowsServer',
    offer: 'WindowsServer',
    sku: '2022-datacenter',
    version: 'latest',
  },
  adminUsername: 'trainee',
  adminPassword: 'Correct-Horse-7',
}
const place = { resourceGroup: spec.resourceGroup, name: spec.name }

describe.skipIf(specification === null)(`official examples (${specification === null ? WHERE_TO_FIND : root})`, () => {
  const watch = watchContract()
  afterAll(async () => {
    await watch.settle()
  }, 60_000)

  function against(answers: Readonly<Record<string, readonly ExampleAnswer[]>> = {}) {
    if (specification === null) throw new Error(WHERE_TO_FIND)
    const { wire, asked } = exampleWire(specification, { ...EXAMPLES, ...answers }, date)
    const cloud = azureCloud({
      subscriptionId: '00000000-0000-0000-0000-000000000000',
      credential: { getToken: async () => ({ token: 'example', expiresOnTimestamp: Date.now() + 3_600_000 }) },
      http: () => watch.http(wire),
    })
    return { cloud, asked }
  }

  /** Property paths that the adapter's request has and the official example has not, and the other way round. */
  function shapes(asked: readonly { operation: string; body: unknown }[], operation: string, example: string) {
    const official = specification?.operations.get(operation)?.examples.get(example)?.parameters
    const ours = pathsIn(asked.find((call) => call.operation === operation)?.body)
    const theirs = pathsIn(BODIES.map((name) => official?.[name]).find((body) => body !== undefined))
    return { more: ours.filter((path) => !theirs.includes(path)), less: theirs.filter((path) => !ours.includes(path)) }
  }

  test('a machine is made in order, at the instant of Azure', async () => {
    const { cloud, asked } = against()
    expect(await cloud.createMachine(spec, signal())).toEqual({ at: date })
    const operations = asked.map(({ operation }) => operation)
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

  test('a second machine asks for its own three things only', async () => {
    const { cloud, asked } = against()
    await cloud.createMachine(spec, signal())
    asked.length = 0
    await cloud.createMachine({ ...spec, name: 'windows-101-2' }, signal())
    expect(asked.map(({ operation }) => operation)).toEqual([
      'PublicIPAddresses_CreateOrUpdate',
      'NetworkInterfaces_CreateOrUpdate',
      'VirtualMachines_CreateOrUpdate',
    ])
  })

  test('the requests have the shape of the official ones, and these differences on purpose', async () => {
    const { cloud, asked } = against()
    await cloud.createMachine(spec, signal())
    expect(shapes(asked, 'VirtualMachines_CreateOrUpdate', 'Create a vm with password authentication.'))
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
    expect(shapes(asked, 'NetworkInterfaces_CreateOrUpdate', 'Create network interface')).toMatchInlineSnapshot(`
      {
        "less": [
          "properties.disableTcpStateTracking",
          "properties.enableAcceleratedNetworking",
          "properties.ipConfigurations[].properties.privateIPAddressPrefixLength",
        ],
        "more": [
          "properties.ipConfigurations[].properties.primary",
          "properties.ipConfigurations[].properties.privateIPAllocationMethod",
          "properties.ipConfigurations[].properties.publicIPAddress.properties.deleteOption",
          "properties.networkSecurityGroup.id",
          "tags",
        ],
      }
    `)
    expect(shapes(asked, 'PublicIPAddresses_CreateOrUpdate', 'Create public IP address allocation method'))
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
    expect(shapes(asked, 'VirtualNetworks_CreateOrUpdate', 'Create virtual network with subnet'))
      .toMatchInlineSnapshot(`
      {
        "less": [],
        "more": [
          "tags",
        ],
      }
    `)
    expect(shapes(asked, 'NetworkSecurityGroups_CreateOrUpdate', 'Create network security group with rule'))
      .toMatchInlineSnapshot(`
      {
        "less": [],
        "more": [
          "tags",
        ],
      }
    `)
    expect(shapes(asked, 'SecurityRules_CreateOrUpdate', 'Create security rule')).toMatchInlineSnapshot(`
      {
        "less": [],
        "more": [
          "name",
        ],
      }
    `)
    expect(shapes(asked, 'ResourceGroups_CreateOrUpdate', 'Create or update a resource group')).toMatchInlineSnapshot(`
      {
        "less": [],
        "more": [
          "tags",
        ],
      }
    `)
  })

  test('a marketplace machine has the shape of the official one with a plan', async () => {
    const { cloud, asked } = against()
    const plan = { publisher: 'acme', product: 'offer', name: 'sku' }
    const image = {
      kind: 'marketplace',
      publisher: 'acme',
      offer: 'offer',
      sku: 'sku',
      version: 'latest',
      plan,
    } as const
    await cloud.createMachine({ ...spec, image }, signal())
    expect(shapes(asked, 'VirtualMachines_CreateOrUpdate', 'Create a vm with a marketplace image plan.').less).toEqual(
      [],
    )
  })

  test('a machine of an own specialised image brings no account, as the official example', async () => {
    const { cloud, asked } = against()
    const id = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/galleries/a/images/b/versions/1.0.0'
    await cloud.createMachine({ ...spec, image: { kind: 'own', id } }, signal())
    const { less, more } = shapes(
      asked,
      'VirtualMachines_CreateOrUpdate',
      'Create a vm from a specialized shared image.',
    )
    expect(less).toEqual([])
    expect(more.filter((path) => path.includes('osProfile'))).toEqual([])
  })

  test('an image is made of the machine itself, in a gallery of its own making, and found ready', async () => {
    const { cloud, asked } = against()
    const image = { ...spec, id: '0198c0de-0000-7000-8000-00000000e001' }
    expect(await cloud.captureMachine(image, signal())).toMatchObject({ state: 'working', progress: 0 })
    expect(asked.map(({ operation }) => operation)).toEqual([
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
    expect(shapes(asked, 'Galleries_CreateOrUpdate', 'Create or update a simple gallery.')).toMatchInlineSnapshot(`
      {
        "less": [
          "properties.description",
        ],
        "more": [
          "tags",
        ],
      }
    `)
    expect(shapes(asked, 'GalleryImages_CreateOrUpdate', 'Create or update a simple gallery image.'))
      .toMatchInlineSnapshot(`
      {
        "less": [],
        "more": [
          "tags",
        ],
      }
    `)
    const { less, more } = shapes(
      asked,
      'GalleryImageVersions_CreateOrUpdate',
      'Create or update a simple Gallery Image Version using VM as source.',
    )
    expect(more).toEqual(['tags'])
    expect(less.filter((path) => path.includes('storageProfile.source'))).toEqual([])
    expect(await cloud.captureMachine(image, signal())).toMatchObject({ state: 'ready' })
  })

  test('a password goes into the protected settings of an extension, and nowhere else', async () => {
    const { cloud, asked } = against()
    const account = { ...spec, username: spec.adminUsername, password: spec.adminPassword }
    expect(await cloud.setPassword(account, signal())).toBe('working')
    const operation = 'VirtualMachineExtensions_CreateOrUpdate'
    const { more } = shapes(asked, operation, 'VirtualMachineExtension_CreateOrUpdate_MaximumSet_Gen')
    expect(more).toEqual(['properties.protectedSettings.Password', 'properties.settings.UserName'])
    const [, put] = asked
    expect(JSON.stringify(put?.body).split(spec.adminPassword)).toHaveLength(2)
  })

  test.each(['startMachine', 'stopMachine', 'restartMachine'] as const)('%s makes one request', async (call) => {
    const { cloud, asked } = against()
    expect(await cloud[call](place, signal())).toEqual({ at: date })
    expect(asked).toHaveLength(1)
  })

  test('a deletion goes from the machine to what it brought, and ends when all are absent', async () => {
    const machine = against()
    expect(await machine.cloud.deleteMachine(place, signal())).toEqual({ at: date, remaining: 'something' })
    expect(machine.asked.map(({ operation }) => operation)).toEqual(['VirtualMachines_Get', 'VirtualMachines_Delete'])

    const rest = against({ VirtualMachines_Get: ['absent'] })
    expect((await rest.cloud.deleteMachine(place, signal())).remaining).toBe('something')
    expect(rest.asked.map(({ operation }) => operation).toSorted()).toEqual([
      'Disks_Delete',
      'Disks_Get',
      'NetworkInterfaces_Delete',
      'NetworkInterfaces_Get',
      'VirtualMachines_Get',
    ])

    const address = against({
      VirtualMachines_Get: ['absent'],
      NetworkInterfaces_Get: ['absent'],
      Disks_Get: ['absent'],
    })
    expect((await address.cloud.deleteMachine(place, signal())).remaining).toBe('something')
    expect(address.asked.at(-1)?.operation).toBe('PublicIPAddresses_Delete')

    const none = ['VirtualMachines_Get', 'NetworkInterfaces_Get', 'Disks_Get', 'PublicIPAddresses_Get']
    const gone = against(Object.fromEntries(none.map((id) => [id, ['absent'] as const])))
    expect(await gone.cloud.deleteMachine(place, signal())).toEqual({ at: date, remaining: 'nothing' })
  })

  test('a look reads the official machine and address', async () => {
    expect(await against().cloud.lookAtMachine(place, signal())).toMatchInlineSnapshot(`
      {
        "at": 2026-11-21T02:03:04.000Z,
        "publicAddress": null,
        "seen": {
          "state": "changing",
          "toward": "unknown",
        },
      }
    `)
    const absent = against({ VirtualMachines_Get: ['absent'] })
    expect(await absent.cloud.lookAtMachine(place, signal())).toEqual({
      at: date,
      seen: { state: 'absent' },
      publicAddress: null,
    })
  })

  test('a look at all leaves out machines that are not ours', async () => {
    const { cloud } = against()
    const seen: string[] = []
    for await (const { name } of cloud.lookAtAllMachines(signal())) seen.push(name)
    expect(seen).toEqual([])
  })
})

function signal(): AbortSignal {
  return AbortSignal.timeout(10_000)
}

/** `properties.osProfile.adminUsername`, list items as `[]`; tags only as `tags`. */
function pathsIn(value: unknown, path = ''): string[] {
  if (path === 'tags' || typeof value !== 'object' || value === null) return [path]
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => pathsIn(item, `${path}[]`)))]
  return Object.entries(value)
    .flatMap(([name, inner]) => pathsIn(inner, path === '' ? name : `${path}.${name}`))
    .toSorted()
}
