import { networkRefusal } from '../arm/refusal.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import type { Operation } from '../arm/operation.ts'
import { envelope, reference, without } from '../arm/read-body.ts'
import type { Resource } from '../arm/resources.ts'
import { refuseReserved } from '../compute/reserved-network-interfaces.ts'
import { upsertNetworkResource, commonOperations, type NetworkResourceType } from './network-resource-type.ts'
import { etag, resolveReference, refuseBadName, networkEnvelope, startWrite } from './network-resource.ts'
import { releasePrivateAddress, assignPrivateAddress } from './private-addresses.ts'
import { delegationsOf } from './subnets.ts'

export const networkInterfaceType = 'Microsoft.Network/networkInterfaces'

const addressReference = reference.extend({
  properties: z.looseObject({ deleteOption: z.enum(['Delete', 'Detach']).optional() }).optional(),
})

const configurationShape = z.looseObject({
  name: z.string().optional(),
  properties: z.looseObject({
    subnet: reference.optional(),
    publicIPAddress: addressReference.optional(),
    primary: z.boolean().optional(),
    privateIPAddress: z.string().optional(),
    privateIPAllocationMethod: z.enum(['Static', 'Dynamic']).optional(),
  }),
})

const shape = z.looseObject({
  ...envelope,
  properties: z.looseObject({
    ipConfigurations: z.array(configurationShape).optional(),
    networkSecurityGroup: reference.optional(),
  }),
})

export interface StoredConfiguration {
  readonly name: string
  readonly properties: Record<string, unknown> & {
    publicIPAddress?: { id: string; properties?: { deleteOption?: 'Delete' | 'Detach' } }
  }
}

export function configurationsOf(networkInterface: Resource): StoredConfiguration[] {
  return networkInterface.doc.ipConfigurations as StoredConfiguration[]
}

function configurationKey(networkInterfaceId: string, name: string): string {
  return keyOf(`${networkInterfaceId}/ipConfigurations/${name}`)
}

export function networkInterfaceKind(cloud: AzureCloud): NetworkResourceType {
  return {
    type: networkInterfaceType,
    operations: 'NetworkInterfaces',
    view: (networkInterface) => {
      const machine = cloud.resources.linksTo(networkInterface.key, 'networkInterface')[0]
      const { ipConfigurations: _, ...rest } = networkInterface.doc
      return {
        ...networkEnvelope(networkInterface),
        properties: {
          enableIPForwarding: false,
          disableTcpStateTracking: false,
          vnetEncryptionSupported: false,
          nicType: 'Standard',
          auxiliaryMode: 'None',
          auxiliarySku: 'None',
          ...rest,
          dnsSettings: {
            dnsServers: [],
            appliedDnsServers: [],
            ...(rest.dnsSettings as object | undefined),
            internalDomainNameSuffix: `${keyedSuffix(networkInterface)}.internal.cloudapp.net`,
          },
          resourceGuid: networkInterface.uid,
          provisioningState: networkInterface.state,
          hostedWorkloads: [],
          tapConfigurations: [],
          ipConfigurations: configurationsOf(networkInterface).map(({ name, properties }) => ({
            id: `${networkInterface.id}/ipConfigurations/${name}`,
            name,
            type: `${networkInterfaceType}/ipConfigurations`,
            etag: etag(networkInterface),
            properties: { ...properties, provisioningState: networkInterface.state },
          })),
          ...(machine === undefined
            ? {}
            : { virtualMachine: { id: machine.via }, primary: true, macAddress: macAddress(networkInterface.uid) }),
        },
      }
    },
    refuseRemoval: (networkInterface, now) => {
      const machine = cloud.resources.linksTo(networkInterface.key, 'networkInterface')[0]
      if (machine === undefined) return refuseReserved(cloud, networkInterface, null, now)
      throw networkRefusal(
        400,
        'NicInUse',
        `Network Interface ${networkInterface.id} is used by existing resource ${machine.via}. In order to delete the network interface, it must be dissociated from the resource. To learn more, see aka.ms/deletenic.`,
      )
    },
  }
}

/** Azure has one suffix per virtual network, the emulator one per group. */
const keyedSuffix = ({ group }: Resource): string => createHash('sha256').update(group).digest('hex').slice(0, 26)

function macAddress(uid: string): string {
  return `00-0D-3A-${uid.slice(0, 2)}-${uid.slice(2, 4)}-${uid.slice(4, 6)}`.toUpperCase()
}

export function networkInterfaceOperations(cloud: AzureCloud): Operation[] {
  const kind = networkInterfaceKind(cloud)
  const readOnly = `virtualMachine macAddress primary resourceGuid provisioningState tapConfigurations hostedWorkloads
    vnetEncryptionSupported`.split(/\s+/)
  return [
    ...commonOperations(cloud, kind),
    upsertNetworkResource(
      cloud,
      kind,
      shape,
      ({ body, id, location, before }) => {
        const { networkSecurityGroup: securityGroup, ipConfigurations: requested = [] } = body.properties
        if (securityGroup !== undefined) resolveReference(cloud, securityGroup.id, id, location)
        const ipConfigurations = readConfigurations(cloud, id, location, requested)
        if (before !== undefined) releaseRemoved(cloud, before, ipConfigurations)
        return {
          ...without(body.properties, ...readOnly),
          ...(securityGroup === undefined ? {} : { networkSecurityGroup: { id: securityGroup.id } }),
          ipConfigurations,
        }
      },
      {
        state: 'Succeeded',
        finish: (networkInterface, { call, body, before }) => {
          const { key } = networkInterface
          link(cloud, networkInterface, body.properties.networkSecurityGroup?.id, configurationsOf(networkInterface))
          if (call.ending.kind !== 'success')
            return startWrite(cloud, call, key, before === undefined, (resource) => kind.view(resource))
          // A network interface succeeds at once without a poll address, even if it had failed before.
          cloud.resources.setState(key, 'Succeeded')
          return { status: before === undefined ? 201 : 200, body: kind.view(cloud.resources.get(key)) }
        },
      },
    ),
  ]
}

function readConfigurations(
  cloud: AzureCloud,
  networkInterfaceId: string,
  location: string,
  requested: z.infer<typeof configurationShape>[],
): StoredConfiguration[] {
  if (requested.length === 0) {
    throw networkRefusal(
      400,
      'NetworkInterfaceMustHaveAtLeastOneIpConfiguration',
      `Network Interface ${networkInterfaceId} must have at least one ip configuration.`,
    )
  }
  const firstSubnet = requested[0]?.properties.subnet
  return requested.map(({ name = '', properties }, index) => {
    refuseBadName(name)
    const subnetReference = properties.subnet ?? firstSubnet
    if (subnetReference === undefined) {
      throw networkRefusal(
        400,
        'SubnetNotSpecified',
        `Subnet must be specified for ip configuration ${networkInterfaceId}/ipConfigurations/${name}.`,
      )
    }
    const subnet = resolveReference(cloud, subnetReference.id, networkInterfaceId, location)
    refuseDedicatedSubnet(subnet, networkInterfaceId)
    const address = properties.publicIPAddress
    if (address !== undefined) refuseTakenAddress(cloud, address.id, networkInterfaceId, name, location)
    const deleteOption = address?.properties?.deleteOption
    const method = properties.privateIPAllocationMethod ?? 'Dynamic'
    const requestedAddress = method === 'Static' ? properties.privateIPAddress : undefined
    return {
      name,
      properties: {
        privateIPAddressVersion: 'IPv4',
        ...without(properties, 'provisioningState', 'publicIPAddress'),
        privateIPAllocationMethod: method,
        privateIPAddress: assignPrivateAddress(
          cloud,
          subnet,
          configurationKey(networkInterfaceId, name),
          requestedAddress,
        ),
        primary: properties.primary ?? index === 0,
        subnet: { id: subnet.id },
        ...(address === undefined
          ? {}
          : {
              publicIPAddress: {
                id: address.id,
                ...(deleteOption === undefined ? {} : { properties: { deleteOption } }),
              },
            }),
      },
    }
  })
}

/** Services with dedicated subnets, by the name of the subnet. */
const RESERVED_SUBNETS: Readonly<Record<string, string>> = {
  azurebastionsubnet: 'Azure Bastion',
  azurefirewallsubnet: 'Azure Firewall',
  azurefirewallmanagementsubnet: 'Azure Firewall',
  gatewaysubnet: 'Virtual Network Gateway',
  routeserversubnet: 'Route Server',
}

/**
 * Sources: Azure/ato-toolkit#26 (AzureBastionSubnet; the other names are assumed to be refused alike) and
 * MicrosoftDocs/azure-docs#18010 (delegations; it does not quote the code).
 */
function refuseDedicatedSubnet(subnet: Resource, networkInterfaceId: string): void {
  const service = RESERVED_SUBNETS[subnet.name.toLowerCase()]
  if (service !== undefined) {
    throw networkRefusal(
      400,
      subnet.name,
      `Subnet with name '${subnet.name}' can be used only for the ${service} resource.`,
    )
  }
  const delegations = delegationsOf(subnet)
  if (delegations.length === 0) return
  const ids = delegations.map(({ name }) => `${subnet.id}/delegations/${name}`)
  throw networkRefusal(
    400,
    'SubnetHasDelegations',
    `Resource ${networkInterfaceId} cannot be created in or updated to use the subnet ${subnet.id} since it has delegation(s) [${ids.join(', ')}] to external services.`,
  )
}

function refuseTakenAddress(
  cloud: AzureCloud,
  addressId: string,
  networkInterfaceId: string,
  name: string,
  location: string,
): void {
  const configuration = `${networkInterfaceId}/ipConfigurations/${name}`
  const address = resolveReference(cloud, addressId, configuration, location)
  const user = cloud.resources.linksTo(address.key, 'address')[0]
  if (user === undefined || keyOf(user.via) === keyOf(configuration)) return
  throw networkRefusal(
    400,
    'PublicIPAddressInUse',
    `Resource ${configuration} is referencing public IP address ${address.id} that is already allocated to resource ${user.via}.`,
  )
}

function releaseRemoved(
  cloud: AzureCloud,
  networkInterface: Resource,
  remainingConfigurations: readonly StoredConfiguration[],
): void {
  const names = new Set(remainingConfigurations.map(({ name }) => name.toLowerCase()))
  for (const { name } of configurationsOf(networkInterface)) {
    if (!names.has(name.toLowerCase())) releasePrivateAddress(cloud, configurationKey(networkInterface.id, name))
  }
}

function link(
  cloud: AzureCloud,
  networkInterface: Resource,
  securityGroup: string | undefined,
  configurations: readonly StoredConfiguration[],
): void {
  for (const role of ['securityGroup', 'subnet', 'address']) cloud.resources.unlink(networkInterface.key, role)
  if (securityGroup !== undefined)
    cloud.resources.link(networkInterface.key, 'securityGroup', keyOf(securityGroup), networkInterface.id)
  for (const { name, properties } of configurations) {
    const via = `${networkInterface.id}/ipConfigurations/${name}`
    const subnet = properties.subnet as { id: string }
    cloud.resources.link(networkInterface.key, 'subnet', keyOf(subnet.id), via)
    if (properties.publicIPAddress !== undefined) {
      cloud.resources.link(networkInterface.key, 'address', keyOf(properties.publicIPAddress.id), via)
    }
  }
}
