import type { Route, Subnet } from '@azure/arm-network'
import { parseAzureNetworkId } from './azure-network-id.ts'
import type { CloudDiagnosis } from './cloud-diagnosis.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { isSubnetIn } from '@trainyard/templates/server/machine-address.ts'
import { callOrNull } from './calls.ts'
import type { AzureClients } from './clients.ts'
import { subnetFor } from './machine-subnet.ts'

/**
 * Types of next hops that break connections from the internet. An appliance or gateway that has not received the
 * request drops the reply, or sends it from another address. Source: learn.microsoft.com,
 * virtual-networks-udr-overview.
 */
const OTHER_NEXT_HOPS: ReadonlySet<string> = new Set(['VirtualAppliance', 'VirtualNetworkGateway', 'None'])

/**
 * Returns a function that finds routes of a network with which replies take another path than the requests from the
 * internet.
 */
export function asymmetricRoutes({ network: own, networkIn }: AzureClients): CloudDiagnosis['asymmetricRoutes'] {
  return async (group, nameOrId, clients, signal) => {
    const existing = parseAzureNetworkId(nameOrId)
    const { virtualNetworks, routeTables } = existing === null ? own : networkIn(existing.subscriptionId)
    const { resourceGroup, name, subnet: given } = existing ?? { resourceGroup: group, name: nameOrId, subnet: null }
    const { body: found } = await callOrNull(`read the network ${name}`, signal, (options) =>
      virtualNetworks.get(resourceGroup, name, options),
    )
    if (found === null) return []
    let subnet: Subnet
    try {
      subnet = subnetFor(found, given)
    } catch (error) {
      // Another check reports a network without a subnet for machines.
      if (error instanceof CloudError) return []
      throw error
    }
    const [, tableGroup, table] =
      /\/resourceGroups\/([^/]+)\/.*\/routeTables\/([^/]+)$/i.exec(subnet.routeTable?.id ?? '') ?? []
    if (tableGroup === undefined || table === undefined) return []
    const { body } = await callOrNull(`read the route table ${table}`, signal, (options) =>
      routeTables.get(tableGroup, table, options),
    )
    return clients.flatMap((client) => {
      const route = longestMatch(body?.routes ?? [], client)
      if (route === undefined || !OTHER_NEXT_HOPS.has(route.nextHopType ?? '')) return []
      const nextHop = [route.nextHopType, route.nextHopIpAddress].filter((part) => part !== undefined).join(' ')
      return [{ subnet: subnet.name ?? '', routeTable: table, route: route.name ?? '', nextHop, client }]
    })
  }
}

/** For clients on the internet, every user-defined route takes precedence over the system route to 0.0.0.0/0. */
function longestMatch(routes: readonly Route[], client: string): Route | undefined {
  const length = ({ addressPrefix = '' }: Route) => Number(addressPrefix.split('/')[1])
  return routes
    .filter(({ addressPrefix = '' }) => isSubnetIn(client, [addressPrefix]))
    .toSorted((a, b) => length(b) - length(a))[0]
}
