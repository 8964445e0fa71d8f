import { beforeAll, describe, expect, test } from 'vitest'
import { inGroup, type Reply } from '@trainyard/platform/emulator/test/test-emulator.ts'
import {
  address,
  networkInterface,
  networkInterfaceBody,
  addressBody,
  securityGroup,
  machine,
  network,
  openLab,
} from '@trainyard/platform/emulator/test/lab.ts'
import { exchangeOf } from '@trainyard/platform/emulator/test/exchange.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'
import {
  exampleFolders,
  examplesIn,
  officialValidator,
  openApi,
  whyNoOpenApi,
} from '@trainyard/platform/emulator/test/official-validator.ts'

const emulator = await sharedTestEmulator()
await openLab(emulator)

/**
 * Names of excluded examples. The emulator does not support their resources, the portal never uses them, or they use a
 * Marketplace image without a plan. The tests of the gallery cover the examples of image galleries.
 */
const EXCLUDED_EXAMPLES =
  /AvailabilitySet|Vmss|NetworkInterfaceConfiguration|CapacityReservation|Hibernation|SourceResource|SharedGallery|SharedImage|CommunityGallery|DiskEncryptionSetResource|NonPersistedTPM/

let validate: Awaited<ReturnType<typeof officialValidator>>

async function putResource(path: string, body: unknown): Promise<Reply> {
  const reply = await emulator.arm('PUT', path, body)
  expect((await validate(exchangeOf('PUT', path, body, reply))).violations).toEqual([])
  return reply
}

type Body = Record<string, never> & { location: string; properties: Record<string, unknown> }

/** Replaces placeholders in braces by their names. The image publisher becomes an existing publisher. */
function withoutPlaceholders(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body)
      .replace('{image_publisher}', 'Canonical')
      .replaceAll(/\{(\w[\w-]*)\}/g, '$1'),
  )
}

/** Replaces the network interface, disk names, location and login of an example by values that exist in the emulator. */
function withTestResources(body: Body, name: string): unknown {
  const properties = { ...body.properties }
  const storage = structuredClone(properties.storageProfile) as {
    osDisk: { name?: string }
    dataDisks?: { name?: string }[]
  }
  storage.osDisk.name = `${name}-os`
  for (const [index, disk] of (storage.dataDisks ?? []).entries()) disk.name = `${name}-${index}`
  return {
    ...body,
    location: 'southindia',
    properties: {
      ...properties,
      storageProfile: storage,
      networkProfile: { networkInterfaces: [{ id: networkInterface(name), properties: { primary: true } }] },
      ...(properties.osProfile === undefined
        ? {}
        : {
            osProfile: {
              ...(properties.osProfile as object),
              adminUsername: 'learner',
              adminPassword: 'Sup3r-secret',
              computerName: 'lab',
            },
          }),
    },
  }
}

describe.skipIf(openApi === undefined)(`Azure's published examples (skipped when ${whyNoOpenApi})`, () => {
  const root = openApi ?? ''
  beforeAll(async () => {
    validate = await officialValidator(root)
  })

  const machines =
    openApi === undefined
      ? []
      : examplesIn(root, exampleFolders.compute, /^VirtualMachine_Create_/).filter(
          ({ name }) => !EXCLUDED_EXAMPLES.test(name),
        )

  test.each(machines)('accepts $name', async ({ name: example, parameters }) => {
    // Some examples need a subscription that has registered the feature EncryptionAtHost.
    await emulator.control('POST', '/_governance', { encryptionAtHost: true })
    const name = `example-${machines.findIndex((each) => each.name === example)}`
    const body = withoutPlaceholders(parameters.parameters) as Body & {
      plan?: { publisher: string; product: string; name: string }
    }
    const { plan } = body
    const reference = (body.properties.storageProfile as { imageReference?: Record<string, string> }).imageReference
    if (reference?.publisher !== undefined) {
      const { publisher, offer, sku, version } = reference
      const versionName = version === 'latest' ? '1.0.0' : version
      const image = { publisher, offer, sku, version: versionName, location: 'southindia', published: true }
      await emulator.control('POST', '/_images', image)
    }
    if (plan !== undefined) {
      const image = (body.properties.storageProfile as { imageReference: Record<string, string> }).imageReference
      Object.assign(plan, { publisher: image.publisher, product: image.offer, name: image.sku })
      const terms = `/subscriptions/11111111-1111-4111-8111-111111111111/providers/Microsoft.MarketplaceOrdering/offerTypes/virtualmachine/publishers/${plan.publisher}/offers/${plan.product}/plans/${plan.name}/agreements/current`
      await emulator.arm('PUT', terms, { properties: { accepted: true } })
    }
    await emulator.arm('PUT', address(name), addressBody)
    await emulator.arm('PUT', networkInterface(name), networkInterfaceBody(name))
    const reply = await putResource(machine(name), withTestResources(body, name))
    expect(reply.body.error).toBeUndefined()
    expect(reply.status).toBe(201)
    expect(reply.body.properties.osProfile?.adminPassword).toBeUndefined()
  })

  const networks =
    openApi === undefined
      ? []
      : [
          ...examplesIn(
            root,
            exampleFolders.network,
            /^VirtualNetworkCreate(?:Subnet|SubnetWithAddressPrefixes)?\.json$/,
          ).map((example) => ({ ...example, at: network(example.name) })),
          ...examplesIn(root, exampleFolders.network, /^NetworkSecurityGroupCreate(?:WithRule)?\.json$/).map(
            (example) => ({
              ...example,
              at: securityGroup(example.name),
            }),
          ),
          ...examplesIn(root, exampleFolders.network, /^PublicIpAddressCreateCustomizedValues\.json$/).map(
            (example) => ({
              ...example,
              at: address(example.name),
            }),
          ),
        ]

  test.each(networks)('accepts the network example $name', async ({ at, parameters }) => {
    const reply = await putResource(at, parameters.parameters)
    expect(reply.body.error).toBeUndefined()
    expect(reply.status).toBe(201)
    expect((await emulator.arm('GET', inGroup)).status).toBe(200)
  })
})
