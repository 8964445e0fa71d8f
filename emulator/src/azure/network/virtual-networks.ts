import { z } from 'zod'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { placeNamed, refuseMove } from '#src/azure/arm/locations.ts'
import { at, param, versions, type Operation } from '#src/azure/arm/operation.ts'
import { envelope, readBody, without } from '#src/azure/arm/read-body.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { openGroup } from '#src/azure/groups/existing-group.ts'
import { idIn } from '#src/azure/groups/existing-resource.ts'
import { refuseBadPrefix } from '#src/azure/network/address-space.ts'
import {
  refuseBadName,
  refuseWhileAtWork,
  top,
  usualOperations,
  written,
  type NetworkKind,
} from '#src/azure/network/network-resource.ts'
import { networkType, putSubnet, refuseSubnetInUse, subnetShape, subnetView } from '#src/azure/network/subnets.ts'
import { networkRefusal } from '#src/azure/network/network-refusal.ts'

const shape = z.looseObject({
  ...envelope,
  properties: z.looseObject({
    addressSpace: z.looseObject({ addressPrefixes: z.array(z.string()).optional() }).optional(),
    subnets: z.array(subnetShape).optional(),
  }),
})

/** Of versions released after 2026-03-31, as announced: a new network's subnets lead out only where they are told to. */
const firstWithPrivateSubnets = '2026-01-01'

export function virtualNetworkKind(cloud: AzureCloud): NetworkKind {
  return {
    type: networkType,
    operations: 'VirtualNetworks',
    view: (network: Resource) => ({
      ...top(network),
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
  const view = (network: Resource): unknown => kind.view(network)
  return [
    ...usualOperations(cloud, kind),
    {
      name: 'VirtualNetworks_CreateOrUpdate',
      method: 'PUT',
      path: at.item(networkType),
      versions: versions.network,
      handle: (call) => {
        const body = readBody(call, shape)
        const group = openGroup(cloud, call)
        const name = param(call, 'name')
        refuseBadName(name)
        const location = placeNamed(body.location, networkType)
        const id = idIn(call, group, networkType)
        refuseWhileAtWork(cloud, id)
        const prefixes = body.properties.addressSpace?.addressPrefixes ?? []
        for (const prefix of prefixes) refuseBadPrefix(prefix, id)
        if (prefixes.length === 0 && body.properties.addressSpace?.ipamPoolPrefixAllocations === undefined) {
          throw networkRefusal(
            400,
            'AddressSpacePrefixesNullOrEmpty',
            `Value of AddressPrefixes in the address space of resource ${id} cannot be null or empty.`,
          )
        }
        const doc = without(
          body.properties,
          'subnets',
          'enableVmProtection',
          'provisioningState',
          'resourceGuid',
          'virtualNetworkPeerings',
        )
        const before = cloud.resources.find(keyOf(id))
        if (before !== undefined) refuseMove(name, group.name, before.location, location)
        const shownBefore = before === undefined ? undefined : view(before)
        const network =
          before === undefined
            ? cloud.resources.add(
                {
                  id,
                  type: networkType,
                  subscription: param(call, 'subscription'),
                  group: group.key,
                  name,
                  state: 'Updating',
                  location,
                  tags: body.tags,
                  doc,
                },
                call.now,
              )
            : cloud.resources.change(before.key, { tags: body.tags, doc })
        const asked = body.properties.subnets
        if (asked !== undefined) {
          const names = new Set(asked.map((subnet) => subnet.name?.toLowerCase()))
          for (const subnet of cloud.resources.parts(network.key)) {
            if (names.has(subnet.name.toLowerCase())) continue
            refuseSubnetInUse(cloud, subnet)
            cloud.resources.remove(subnet.key, call.now)
          }
          const isPrivate = before === undefined && call.version >= firstWithPrivateSubnets
          for (const { name: subnet = '', ...body } of asked) {
            const properties = isPrivate ? { defaultOutboundAccess: false, ...body.properties } : body.properties
            putSubnet(cloud, call, network, subnet, { ...body, properties })
          }
        }
        return written(cloud, call, network.key, before === undefined, view, network.key, shownBefore)
      },
    },
  ]
}
