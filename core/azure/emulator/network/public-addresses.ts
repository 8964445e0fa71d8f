import { networkRefusal } from '../arm/refusal.ts'
import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { param, type Operation } from '../arm/operation.ts'
import { envelope, without } from '../arm/read-body.ts'
import type { Resource } from '../arm/resources.ts'
import { formatAddress, rangeOf } from './address-space.ts'
import { upsertNetworkResource, commonOperations, type NetworkResourceType } from './network-resource-type.ts'
import { networkEnvelope } from './network-resource.ts'

export const addressType = 'Microsoft.Network/publicIPAddresses'

const shape = z.looseObject({
  ...envelope,
  sku: z.looseObject({ name: z.string().optional(), tier: z.string().optional() }).optional(),
  zones: z.array(z.string()).optional(),
  properties: z
    .looseObject({
      publicIPAllocationMethod: z.enum(['Static', 'Dynamic']).optional(),
      publicIPAddressVersion: z.enum(['IPv4', 'IPv6']).optional(),
      dnsSettings: z.looseObject({ domainNameLabel: z.string().optional() }).optional(),
    })
    .optional(),
})

const limitSetting = 'network.address-quota'

export const addressLimit = (cloud: AzureCloud): number => Number(cloud.settings.read(limitSetting) ?? 100_000)

/** Public addresses per location. Null: the default. */
export function setAddressLimit(cloud: AzureCloud, addresses: number | null): void {
  cloud.settings.write(limitSetting, String(addresses ?? 100_000))
}

/** Ranges without public owner: three for documentation, then the shared range for carriers. */
const ranges = ['203.0.113.0/24', '198.51.100.0/24', '192.0.2.0/24', '100.64.0.0/10']

/** Returns the n-th public address, counted from 1. No address is assigned twice. */
function publicAddress(n: number): string {
  let remainder = n
  for (const prefix of ranges) {
    const range = rangeOf(prefix)
    if (range === undefined) continue
    const usable = range.size - 2
    if (remainder <= usable) return formatAddress(range.first + remainder)
    remainder -= usable
  }
  throw new Error('The emulator has no public addresses left.')
}

export function publicAddressKind(cloud: AzureCloud): NetworkResourceType {
  return {
    type: addressType,
    operations: 'PublicIPAddresses',
    view: (address) => {
      const { sku, zones, properties } = address.doc as {
        sku: unknown
        zones?: unknown
        properties: Record<string, unknown>
      }
      const user = cloud.resources.linksTo(address.key, 'address')[0]
      return {
        ...networkEnvelope(address),
        sku,
        ...(zones === undefined ? {} : { zones }),
        properties: {
          ...(isNew(address) ? without(properties, 'ipAddress') : properties),
          resourceGuid: address.uid,
          provisioningState: address.state,
          ...(user === undefined ? {} : { ipConfiguration: { id: user.via } }),
        },
      }
    },
    refuseRemoval: (address) => {
      const user = cloud.resources.linksTo(address.key, 'address')[0]
      if (user === undefined) return
      throw networkRefusal(
        400,
        'PublicIPAddressCannotBeDeleted',
        `Public IP address ${address.id} can not be deleted since it is still allocated to resource ${user.via}. In order to delete the public IP, disassociate/detach the Public IP address from the resource. To learn how to do this, see aka.ms/deletepublicip.`,
      )
    },
  }
}

/** The first reply is sent before the address is assigned. */
const isNew = ({ state, revision }: Resource): boolean => state === 'Updating' && revision <= 2

export function publicAddressOperations(cloud: AzureCloud): Operation[] {
  const kind = publicAddressKind(cloud)
  return [
    ...commonOperations(cloud, kind),
    upsertNetworkResource(cloud, kind, shape, ({ call, body, id, location, before }) => {
      refuseRetiredKinds(id, body)
      if (before === undefined) refuseOverLimit(cloud, param(call, 'subscription'), location)
      const readOnly = ['ipConfiguration', 'ipAddress', 'resourceGuid', 'provisioningState']
      const existing = (before?.doc.properties ?? {}) as { ipAddress?: string }
      const label = body.properties?.dnsSettings?.domainNameLabel
      return {
        sku: { tier: 'Regional', ...body.sku },
        ...(body.zones === undefined ? {} : { zones: body.zones }),
        properties: {
          publicIPAddressVersion: 'IPv4',
          idleTimeoutInMinutes: 4,
          ipTags: [],
          ddosSettings: { protectionMode: 'VirtualNetworkInherited' },
          ...without(body.properties ?? {}, ...readOnly),
          ...(label === undefined
            ? {}
            : { dnsSettings: { ...body.properties?.dnsSettings, fqdn: `${label}.${location}.cloudapp.azure.com` } }),
          ipAddress: existing.ipAddress ?? publicAddress(cloud.settings.next('network.public-addresses')),
        },
      }
    }),
  ]
}

function refuseOverLimit(cloud: AzureCloud, subscription: string, location: string): void {
  const limit = addressLimit(cloud)
  if (cloud.resources.count(addressType, subscription, location) < limit) return
  throw networkRefusal(
    400,
    'IPv4StandardSkuPublicIpCountLimitReached',
    `Cannot create more than ${limit} IPv4 Standard SKU public IP addresses for this subscription in this region.`,
  )
}

function refuseRetiredKinds(id: string, body: z.infer<typeof shape>): void {
  if (body.sku?.name === undefined || body.sku.name.toLowerCase() === 'basic') {
    throw networkRefusal(
      400,
      'IPv4BasicSkuPublicIpCountLimitReached',
      'Cannot create more than 0 IPv4 Basic SKU public IP addresses for this subscription in this region.',
    )
  }
  if (body.properties?.publicIPAllocationMethod !== 'Static') {
    throw networkRefusal(
      400,
      'PublicIPAddressWithStandardSkuMustBeStatic',
      `Standard SKU public IP address ${id} must use the Static allocation method.`,
    )
  }
}
