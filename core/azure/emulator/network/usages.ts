import type { AzureCloud } from '../cloud.ts'
import { versions, type Operation } from '../arm/operation.ts'
import { usageOperation } from '../arm/usages.ts'
import { networkInterfaceType } from './network-interfaces.ts'
import { addressLimit, addressType } from './public-addresses.ts'
import { securityGroupType } from './security-rules.ts'
import { networkType } from './subnets.ts'

const quotas = [
  { type: networkType, value: 'VirtualNetworks', localizedName: 'Virtual Networks', limit: 1000 },
  { type: securityGroupType, value: 'NetworkSecurityGroups', localizedName: 'Network Security Groups', limit: 5000 },
  { type: addressType, value: 'PublicIPAddresses', localizedName: 'Public IP Addresses', limit: 0 },
  {
    type: addressType,
    value: 'StandardSkuPublicIpAddresses',
    localizedName: 'Public IPv4 Addresses - Standard',
    limit: 0,
  },
  { type: networkInterfaceType, value: 'NetworkInterfaces', localizedName: 'Network Interfaces', limit: 100_000 },
]

export function networkUsageOperations(cloud: AzureCloud): Operation[] {
  return [
    usageOperation(
      { name: 'Usages_List', service: 'Microsoft.Network', versions: versions.network },
      (subscription, location) =>
        quotas.map(({ type, ...one }) => ({
          ...one,
          ...(type === addressType ? { limit: addressLimit(cloud) } : {}),
          id: `/subscriptions/${subscription}/providers/Microsoft.Network/locations/${location}/usages/${one.value}`,
          used: cloud.resources.count(type, subscription, location),
        })),
    ),
  ]
}
