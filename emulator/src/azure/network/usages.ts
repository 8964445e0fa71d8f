import type { AzureCloud } from '#src/azure/cloud.ts'
import { versions, type Operation } from '#src/azure/arm/operation.ts'
import { usageOperation } from '#src/azure/arm/usages.ts'
import { networkInterfaceType } from '#src/azure/network/network-interfaces.ts'
import { addressType } from '#src/azure/network/public-addresses.ts'
import { securityGroupType } from '#src/azure/network/security-rules.ts'
import { networkType } from '#src/azure/network/subnets.ts'

const counted = [
  { type: networkType, value: 'VirtualNetworks', shown: 'Virtual Networks', limit: 1000 },
  { type: securityGroupType, value: 'NetworkSecurityGroups', shown: 'Network Security Groups', limit: 5000 },
  { type: addressType, value: 'PublicIPAddresses', shown: 'Public IP Addresses', limit: 100_000 },
  {
    type: addressType,
    value: 'StandardSkuPublicIpAddresses',
    shown: 'Public IPv4 Addresses - Standard',
    limit: 100_000,
  },
  { type: networkInterfaceType, value: 'NetworkInterfaces', shown: 'Network Interfaces', limit: 100_000 },
]

export function networkUsageOperations(cloud: AzureCloud): Operation[] {
  return [
    usageOperation(
      { name: 'Usages_List', service: 'Microsoft.Network', versions: versions.network },
      (subscription, location) =>
        counted.map(({ type, ...one }) => ({
          ...one,
          id: `/subscriptions/${subscription}/providers/Microsoft.Network/locations/${location}/usages/${one.value}`,
          used: cloud.resources.count(type, subscription, location),
        })),
    ),
  ]
}
