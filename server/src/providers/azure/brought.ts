import type { Disk } from '@azure/arm-compute'
import type { NetworkInterface, PublicIPAddress } from '@azure/arm-network'
import type { AzureClients } from './clients.ts'
import { aloneEvery, type Kind, lookTogether, type LookTogether } from './look-together.ts'

export interface LooksAtBrought {
  readonly address: LookTogether<PublicIPAddress>
  readonly networkInterface: LookTogether<NetworkInterface>
  readonly disk: LookTogether<Disk>
}

/** Individual reads allowed in the interval of one list. */
const ALONE = 3

/** Returns readers shared by all creations and deletions: a list requested by one also answers the others. */
export function looksAtBrought({ compute, network }: AzureClients, everyMs: number): LooksAtBrought {
  const { networkInterfaces, publicIPAddresses } = network
  const alone = aloneEvery(everyMs / ALONE)
  const together = <T extends { readonly name?: string }>(kind: Kind<T>) => lookTogether(kind, everyMs, alone)
  return {
    address: together({
      called: 'address',
      alone: (group, name, options) => publicIPAddresses.get(group, name, options),
      list: (group, options) => publicIPAddresses.list(group, options),
    }),
    networkInterface: together({
      called: 'network interface',
      alone: (group, name, options) => networkInterfaces.get(group, name, options),
      list: (group, options) => networkInterfaces.list(group, options),
    }),
    disk: together({
      called: 'disk',
      alone: (group, name, options) => compute.disks.get(group, name, options),
      list: (group, options) => compute.disks.listByResourceGroup(group, options),
    }),
  }
}
