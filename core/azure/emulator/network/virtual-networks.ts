import { networkRefusal } from '../arm/refusal.ts'
import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import type { Call, Operation } from '../arm/operation.ts'
import { envelope, without } from '../arm/read-body.ts'
import type { Resource } from '../arm/resources.ts'
import { parsePrefix } from './address-space.ts'
import { upsertNetworkResource, commonOperations, type NetworkResourceType } from './network-resource-type.ts'
import { removeOtherParts } from './network-parts.ts'
import { networkEnvelope, startWrite } from './network-resource.ts'
import { networkType, putSubnet, refuseSubnetInUse, subnetShape, subnetView } from './subnets.ts'

const shape = z.looseObject({
  ...envelope,
  properties: z.looseObject({
    addressSpace: z.looseObject({ addressPrefixes: z.array(z.string()).optional() }).optional(),
    subnets: z.array(subnetShape).optional(),
    // Required properties: VirtualNetworkEncryption and VirtualNetworkBgpCommunities, virtualNetwork.json 2024-05-01.
    // Source of the refusal: Azure/azure-rest-api-specs#16743, for another missing property.
    encryption: z.looseObject({ enabled: z.boolean(), enforcement: z.string().optional() }).optional(),
    bgpCommunities: z.looseObject({ virtualNetworkCommunity: z.string() }).optional(),
  }),
})

/** From this version, new subnets have no outbound access by default. Announced for versions after 2026-03-31. */
const firstWithPrivateSubnets = '2026-01-01'

export function virtualNetworkKind(cloud: AzureCloud): NetworkResourceType {
  return {
    type: networkType,
    operations: 'VirtualNetworks',
    view: (network: Resource) => ({
      ...networkEnvelope(network),
      properties: {
        enableDdosProtection: false,
        privateEndpointVNetPolicies: 'Disabled',
        virtualNetworkPeerings: [],
        ...network.doc,
        resourceGuid: network.uid,
        provisioningState: network.state,
        subnets: cloud.resources.parts(network.key).map((subnet) => subnetView(cloud, subnet)),
      },
    }),
    refuseRemoval: (network) => {
      for (const subnet of cloud.resources.parts(network.key)) refuseSubnetInUse(cloud, subnet)
    },
  }
}

export function virtualNetworkOperations(cloud: AzureCloud): Operation[] {
  const kind = virtualNetworkKind(cloud)
  const readOnly = ['enableVmProtection', 'provisioningState', 'resourceGuid', 'virtualNetworkPeerings']
  return [
    ...commonOperations(cloud, kind),
    upsertNetworkResource(
      cloud,
      kind,
      shape,
      ({ body, id }) => {
        refuseBadSpace(body, id)
        return without(body.properties, 'subnets', ...readOnly)
      },
      {
        finish: (network, { call, body, before, shownBefore }) => {
          putSubnets(cloud, call, network, body.properties.subnets, before === undefined)
          return startWrite(
            cloud,
            call,
            network.key,
            before === undefined,
            (resource) => kind.view(resource),
            network.key,
            shownBefore,
          )
        },
      },
    ),
  ]
}

function refuseBadSpace({ properties: { addressSpace } }: z.infer<typeof shape>, id: string): void {
  const prefixes = addressSpace?.addressPrefixes ?? []
  for (const prefix of prefixes) parsePrefix(prefix, id)
  if (prefixes.length > 0 || addressSpace?.ipamPoolPrefixAllocations !== undefined) return
  throw networkRefusal(
    400,
    'AddressSpacePrefixesNullOrEmpty',
    `Value of AddressPrefixes in the address space of resource ${id} cannot be null or empty.`,
  )
}

function putSubnets(
  cloud: AzureCloud,
  call: Call,
  network: Resource,
  requested: z.infer<typeof shape>['properties']['subnets'],
  isNew: boolean,
): void {
  // A PUT without subnets keeps the existing ones.
  if (requested === undefined) return
  removeOtherParts(cloud, call, network, requested, (subnet) => refuseSubnetInUse(cloud, subnet))
  const isPrivate = isNew && call.version >= firstWithPrivateSubnets
  for (const { name = '', ...body } of requested) {
    const properties = isPrivate ? { defaultOutboundAccess: false, ...body.properties } : body.properties
    putSubnet(cloud, call, network, name, { ...body, properties })
  }
}
