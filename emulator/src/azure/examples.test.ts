import { beforeAll, describe, expect, test } from 'vitest'
import { inGroup, type Reply } from '#test/far-end.ts'
import {
  address,
  networkInterface,
  networkInterfaceBody,
  addressBody,
  securityGroup,
  machine,
  network,
  openLab,
} from '#test/lab.ts'
import { exchangeOf } from '#test/exchange.ts'
import { sharedFarEnd } from '#test/shared.ts'
import { exampleFolders, examplesIn, officialJudge, openApi, whyNot } from '#test/official-contract.ts'

const farEnd = await sharedFarEnd()
await openLab(farEnd)

/** Examples that name what the emulator has none of, use what the portal never does, or sell an image without a plan; those of a gallery's images are with the gallery. */
const beyond =
  /AvailabilitySet|Vmss|NetworkInterfaceConfiguration|CapacityReservation|Hibernation|SourceResource|SharedGallery|SharedImage|CommunityGallery|DiskEncryptionSetResource|NonPersistedTPM/

let judge: Awaited<ReturnType<typeof officialJudge>>

/** Every reply to an example is judged as well. */
async function put(path: string, body: unknown): Promise<Reply> {
  const reply = await farEnd.arm('PUT', path, body)
  expect((await judge(exchangeOf('PUT', path, body, reply))).violations).toEqual([])
  return reply
}

type Body = Record<string, never> & { location: string; properties: Record<string, unknown> }

/** Examples leave some names to the reader, in braces; an image's publisher has to be one there is. */
function filled(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body)
      .replace('{image_publisher}', 'Canonical')
      .replaceAll(/\{(\w[\w-]*)\}/g, '$1'),
  )
}

/** Bodies name things in subscriptions and groups of their own: what they refer to is put where it stands here. */
function placed(body: Body, name: string): unknown {
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

describe.skipIf(openApi === undefined)(`Azure's published examples (skipped when ${whyNot})`, () => {
  const root = openApi ?? ''
  beforeAll(async () => {
    judge = await officialJudge(root)
  })

  const machines =
    openApi === undefined
      ? []
      : examplesIn(root, exampleFolders.compute, /^VirtualMachine_Create_/).filter(({ name }) => !beyond.test(name))

  test.each(machines)('$name is accepted', async ({ name: example, parameters }) => {
    const name = `example-${machines.findIndex((one) => one.name === example)}`
    const body = filled(parameters.parameters) as Body & { plan?: { publisher: string; product: string; name: string } }
    const { plan } = body
    const reference = (body.properties.storageProfile as { imageReference?: Record<string, string> }).imageReference
    if (reference?.publisher !== undefined) {
      const { publisher, offer, sku, version } = reference
      const named = version === 'latest' ? '1.0.0' : version
      const image = { publisher, offer, sku, version: named, location: 'southindia', published: true }
      await farEnd.control('POST', '/_images', image)
    }
    if (plan !== undefined) {
      const image = (body.properties.storageProfile as { imageReference: Record<string, string> }).imageReference
      Object.assign(plan, { publisher: image.publisher, product: image.offer, name: image.sku })
      const terms = `/subscriptions/11111111-1111-4111-8111-111111111111/providers/Microsoft.MarketplaceOrdering/offerTypes/virtualmachine/publishers/${plan.publisher}/offers/${plan.product}/plans/${plan.name}/agreements/current`
      await farEnd.arm('PUT', terms, { properties: { accepted: true } })
    }
    await farEnd.arm('PUT', address(name), addressBody)
    await farEnd.arm('PUT', networkInterface(name), networkInterfaceBody(name))
    const reply = await put(machine(name), placed(body, name))
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

  test.each(networks)('$name is accepted', async ({ at, parameters }) => {
    const reply = await put(at, parameters.parameters)
    expect(reply.body.error).toBeUndefined()
    expect(reply.status).toBe(201)
    expect((await farEnd.arm('GET', inGroup)).status).toBe(200)
  })
})
