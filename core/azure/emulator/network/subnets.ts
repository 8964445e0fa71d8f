import { networkRefusal } from '../arm/refusal.ts'
import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import type { Call, Operation } from '../arm/operation.ts'
import { reference, without } from '../arm/read-body.ts'
import type { Resource } from '../arm/resources.ts'
import { contains, overlap, prefixesOf, parsePrefix, type AddressRange } from './address-space.ts'
import { partOperations, upsertPart } from './network-parts.ts'
import { etag, resolveReference, refuseBadName } from './network-resource.ts'

export const networkType = 'Microsoft.Network/virtualNetworks'
const subnetType = 'Microsoft.Network/virtualNetworks/subnets'

export const subnetShape = z.looseObject({
  name: z.string().optional(),
  properties: z
    .looseObject({
      addressPrefix: z.string().optional(),
      addressPrefixes: z.array(z.string()).optional(),
      networkSecurityGroup: reference.optional(),
      routeTable: reference.optional(),
    })
    .optional(),
})

type SubnetBody = z.infer<typeof subnetShape>

export function subnetView(cloud: AzureCloud, subnet: Resource): unknown {
  const users = cloud.resources.linksTo(subnet.key, 'subnet')
  return {
    id: subnet.id,
    name: subnet.name,
    type: subnetType,
    etag: etag(subnet),
    properties: {
      delegations: [],
      privateEndpointNetworkPolicies: 'Disabled',
      privateLinkServiceNetworkPolicies: 'Enabled',
      ...subnet.doc,
      ...partsOf(subnet),
      provisioningState: subnet.state,
      ...(users.length === 0 ? {} : { ipConfigurations: users.map((user) => ({ id: user.via })) }),
    },
  }
}

interface Delegation {
  readonly name: string
  readonly properties?: { readonly serviceName?: string }
}

export const delegationsOf = ({ doc }: Pick<Resource, 'doc'>): readonly Delegation[] =>
  (doc.delegations ?? []) as Delegation[]

function partsOf(subnet: Resource): Record<string, unknown> {
  const { id, doc, state } = subnet
  const delegations = delegationsOf(subnet)
  const endpoints = doc.serviceEndpoints as { locations?: string[] }[] | undefined
  return {
    ...(delegations.length === 0
      ? {}
      : {
          delegations: delegations.map(({ name, properties }) => ({
            name,
            id: `${id}/delegations/${name}`,
            etag: etag(subnet),
            type: `${subnetType}/delegations`,
            properties: {
              provisioningState: 'Succeeded',
              actions: ['Microsoft.Network/virtualNetworks/subnets/join/action'],
              ...properties,
            },
          })),
        }),
    ...(endpoints === undefined
      ? {}
      : {
          serviceEndpoints: endpoints.map((endpoint) => ({ locations: ['*'], ...endpoint, provisioningState: state })),
        }),
  }
}

export function putSubnet(
  cloud: AzureCloud,
  call: Call,
  network: Resource,
  name: string,
  body: SubnetBody,
): { key: string; isNew: boolean } {
  refuseBadName(name)
  const id = `${network.id}/subnets/${name}`
  const properties = without(body.properties ?? {}, 'provisioningState', 'ipConfigurations', 'purpose')
  const ranges = prefixesOf(properties).map((prefix) => parsePrefix(prefix, id))
  refuseBadRanges(cloud, network, id, name, ranges)
  const { networkSecurityGroup: securityGroup, routeTable } = properties
  for (const resource of [securityGroup, routeTable]) {
    if (resource !== undefined) resolveReference(cloud, resource.id, id, network.location)
  }
  const doc = {
    ...properties,
    ...(securityGroup === undefined ? {} : { networkSecurityGroup: { id: securityGroup.id } }),
    ...(routeTable === undefined ? {} : { routeTable: { id: routeTable.id } }),
  }
  refuseDelegationInUse(cloud, id, doc)
  const { key, isNew } = upsertPart(cloud, call, network, { id, type: subnetType, name, doc })
  for (const [role, resource] of [
    ['securityGroup', securityGroup],
    ['routeTable', routeTable],
  ] as const) {
    cloud.resources.unlink(key, role)
    if (resource !== undefined) cloud.resources.link(key, role, keyOf(resource.id), id)
  }
  return { key, isNew }
}

function refuseBadRanges(
  cloud: AzureCloud,
  network: Resource,
  id: string,
  name: string,
  ranges: readonly AddressRange[],
): void {
  const space = prefixesOf((network.doc.addressSpace ?? {}) as Record<string, unknown>)
  const outer = space.map((prefix) => parsePrefix(prefix, network.id))
  const isOutside = ranges.some((range) => !outer.some((outerRange) => contains(outerRange, range)))
  if (isOutside || (ranges.length === 0 && space.length > 0)) {
    throw networkRefusal(
      400,
      'NetcfgInvalidSubnet',
      `Subnet '${name}' is not valid in virtual network '${network.name}'.`,
    )
  }
  for (const other of cloud.resources.parts(network.key)) {
    if (other.key === keyOf(id)) continue
    const otherRanges = prefixesOf(other.doc).map((prefix) => parsePrefix(prefix, other.id))
    if (!otherRanges.some((range) => ranges.some((ownRange) => overlap(range, ownRange)))) continue
    throw networkRefusal(
      400,
      'NetcfgSubnetRangesOverlap',
      `Subnet '${name}' is not valid because its IP address range overlaps with that of an existing subnet in virtual network '${network.name}'.`,
    )
  }
}

/** Source: MicrosoftDocs/azure-docs#39112. */
function refuseDelegationInUse(cloud: AzureCloud, id: string, requested: Resource['doc']): void {
  const existing = cloud.resources.find(keyOf(id))
  const user = cloud.resources.linksTo(keyOf(id), 'subnet')[0]
  if (existing === undefined || user === undefined) return
  const services = (subnet: Pick<Resource, 'doc'>) =>
    delegationsOf(subnet)
      .map(({ properties }) => properties?.serviceName ?? '')
      .join(', ')
  const [before, after] = [services(existing), services({ doc: requested })]
  if (before === after) return
  throw networkRefusal(
    400,
    'SubnetDelegationsCannotChangeWhenSubnetUsedByResource',
    `Delegations of subnet ${existing.id} cannot be changed from [${before}] to [${after}] because it is being used by the resource ${user.via}.`,
  )
}

export function refuseSubnetInUse(cloud: AzureCloud, subnet: Resource): void {
  const user = cloud.resources.linksTo(subnet.key, 'subnet')[0]
  if (user === undefined) return
  throw networkRefusal(
    400,
    'InUseSubnetCannotBeDeleted',
    `Subnet ${subnet.name} is in use by ${user.via} and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet. See aka.ms/deletesubnet.`,
  )
}

export function subnetOperations(cloud: AzureCloud): Operation[] {
  return partOperations(cloud, {
    wholeType: networkType,
    segment: 'subnets',
    operations: 'Subnets',
    shape: subnetShape,
    view: (subnet) => subnetView(cloud, subnet),
    put: (call, network, name, body) => putSubnet(cloud, call, network, name, body),
    refuseRemoval: (subnet) => refuseSubnetInUse(cloud, subnet),
  })
}
