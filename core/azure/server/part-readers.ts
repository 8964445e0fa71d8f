import type { Disk } from '@azure/arm-compute'
import type { NetworkInterface, PublicIPAddress } from '@azure/arm-network'
import type { AzureClients } from './clients.ts'
import { readLimiter, type ResourceKind, batchedRead, type BatchedRead } from './batched-reads.ts'

export interface PartReaders {
  readonly address: BatchedRead<PublicIPAddress>
  readonly networkInterface: BatchedRead<NetworkInterface>
  readonly disk: BatchedRead<Disk>
}

const SINGLE_READS = 3

/** Returns readers that all creations and deletions share, so that one list answers several of them. */
export function partReaders({ compute, network }: AzureClients, everyMs: number): PartReaders {
  const { networkInterfaces, publicIPAddresses } = network
  const waitForRead = readLimiter(everyMs / SINGLE_READS)
  const reader = <T extends { readonly name?: string }>(kind: ResourceKind<T>) =>
    batchedRead(kind, everyMs, waitForRead)
  return {
    address: reader({
      label: 'address',
      get: (group, name, options) => publicIPAddresses.get(group, name, options),
      list: (group, options) => publicIPAddresses.list(group, options),
    }),
    networkInterface: reader({
      label: 'network interface',
      get: (group, name, options) => networkInterfaces.get(group, name, options),
      list: (group, options) => networkInterfaces.list(group, options),
    }),
    disk: reader({
      label: 'disk',
      get: (group, name, options) => compute.disks.get(group, name, options),
      list: (group, options) => compute.disks.listByResourceGroup(group, options),
    }),
  }
}
