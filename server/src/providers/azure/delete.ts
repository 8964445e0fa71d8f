import type { MachineDeletion, MachinePlace } from '../cloud.ts'
import { find, order, type CallOptions, type Made } from './ask.ts'
import type { AzureClients } from './clients.ts'
import { addressName, networkInterfaceName, diskName } from './names.ts'

/** One thing that a machine's order brought: how to see it and how to be rid of it. */
interface Part {
  readonly called: string
  look(options: CallOptions): Promise<Made>
  remove(options: CallOptions): Promise<unknown>
}

/**
 * One step of a deletion, by name and never by group. The machine first; when it is gone, what its `deleteOption`s
 * left behind or what a half-made order had brought: network interface and disk, then the address that the network interface holds.
 */
export async function deleteStep(
  clients: AzureClients,
  place: MachinePlace,
  signal: AbortSignal,
): Promise<MachineDeletion> {
  const { machine, networkInterface, disk, address } = partsOf(clients, place)
  const first = await removeIfThere(machine, signal)
  if (first.there) return { at: first.at, remaining: 'machine' }

  const [ofNetworkInterface, ofDisk] = await Promise.all([
    removeIfThere(networkInterface, signal),
    removeIfThere(disk, signal),
  ])
  if (ofNetworkInterface.there) return { at: ofNetworkInterface.at, remaining: 'parts' }
  const last = await removeIfThere(address, signal)
  return { at: last.at, remaining: ofDisk.there || last.there ? 'parts' : 'nothing' }
}

async function removeIfThere(part: Part, signal: AbortSignal): Promise<{ at: Date; there: boolean }> {
  // A look costs less of Azure's allowance than a DELETE, and most of these are gone with the machine.
  const seen = await find(`look at ${part.called}`, signal, (options) => part.look(options))
  if (seen.body === null) return { at: seen.at, there: false }
  if (seen.body.provisioningState?.toLowerCase() === 'deleting') return { at: seen.at, there: true }
  const removed = await order(`delete ${part.called}`, signal, (options) => part.remove(options))
  // 204: gone between the look and this; the next step sees it.
  return { at: removed.at, there: true }
}

function partsOf({ compute, network }: AzureClients, place: MachinePlace): Parts {
  const { name, resourceGroup: group } = place
  return {
    machine: {
      called: `the machine ${name}`,
      look: (options) => compute.virtualMachines.get(group, name, options),
      remove: (options) => compute.virtualMachines.beginDelete(group, name, options),
    },
    networkInterface: {
      called: `the network interface of ${name}`,
      look: (options) => network.networkInterfaces.get(group, networkInterfaceName(place), options),
      remove: (options) => network.networkInterfaces.beginDelete(group, networkInterfaceName(place), options),
    },
    disk: {
      called: `the disk of ${name}`,
      look: (options) => compute.disks.get(group, diskName(place), options),
      remove: (options) => compute.disks.beginDelete(group, diskName(place), options),
    },
    address: {
      called: `the address of ${name}`,
      look: (options) => network.publicIPAddresses.get(group, addressName(place), options),
      remove: (options) => network.publicIPAddresses.beginDelete(group, addressName(place), options),
    },
  }
}

type Parts = Readonly<Record<'machine' | 'networkInterface' | 'disk' | 'address', Part>>
