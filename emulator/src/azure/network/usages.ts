import type { AzureCloud } from '#src/azure/cloud.ts'
import { placeNamed } from '#src/azure/arm/locations.ts'
import { param, versions, type Operation } from '#src/azure/arm/operation.ts'
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
    {
      name: 'Usages_List',
      method: 'GET',
      path: '/subscriptions/:subscription/providers/Microsoft.Network/locations/:location/usages',
      versions: versions.network,
      handle: (call) => {
        const location = placeNamed(param(call, 'location'), 'locations/usages')
        const subscription = param(call, 'subscription')
        return {
          status: 200,
          body: {
            value: counted.map(({ type, value, shown, limit }) => ({
              id: `/subscriptions/${subscription}/providers/Microsoft.Network/locations/${location}/usages/${value}`,
              unit: 'Count',
              currentValue: cloud.resources.count(type, subscription, location),
              limit,
              name: { value, localizedValue: shown },
            })),
          },
        }
      },
    },
  ]
}
