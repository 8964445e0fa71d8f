import type { MachineDeletion, MachineToDelete } from '../cloud.ts'
import { find, order, type CallOptions, type Made } from './ask.ts'
import type { LooksAtBrought } from './brought.ts'
import type { AzureClients } from './clients.ts'
import { saysAbsent } from './errors.ts'
import { CloudError } from '../errors.ts'
import { addressName, diskName, machineIdIn, networkInterfaceName } from './names.ts'

/** A resource that was created with a machine: its last read state (null: absent) and how to delete it. */
interface Part {
  readonly called: string
  readonly seen: Made | null
  remove(options: CallOptions): Promise<unknown>
}

/** A list may still omit a resource this long after its creation, as assumed for the list of machines. */
const LISTS_LAG_MS = 60_000

/**
 * Performs the next step of a deletion, by name and never by group. The machine is deleted first, then what its
 * `deleteOption`s left or a failed creation made: network interface and disk, then the address, which the network
 * interface uses. Concurrent deletions share the reads.
 */
export async function deleteStep(
  { compute, network }: AzureClients,
  looks: LooksAtBrought,
  machine: MachineToDelete,
  signal: AbortSignal,
): Promise<MachineDeletion> {
  const { name, resourceGroup: group, firstSeenAt, stands, onlyTagged } = machine
  const isMeant = (tags: Record<string, string> | undefined) =>
    onlyTagged === undefined || machineIdIn(tags)?.toLowerCase() === onlyTagged.toLowerCase()
  const remove = (options: CallOptions) => compute.virtualMachines.beginDelete(group, name, options)
  const called = `the machine ${name}`
  const taken =
    stands && onlyTagged === undefined ? await unlessAbsent(order(`delete ${called}`, signal, remove)) : null
  if (taken !== null) return { at: taken.at, remaining: 'machine' }
  const { at, body } = await find(`look at ${called}`, signal, (options) =>
    compute.virtualMachines.get(group, name, options),
  )
  if (body !== null && !isMeant(body.tags)) {
    throw new CloudError('refused', `The machine ${name} was not deleted: its tag has changed.`)
  }
  const first = await removeIfThere({ called, seen: body, remove }, at, signal)
  if (first.there) return { at: first.at, remaining: 'machine' }

  // A machine's parts are older than the machine. An existing part must not be missed: it would be billed forever,
  // unnoticed.
  const stood = firstSeenAt && at.getTime() - firstSeenAt.getTime() > LISTS_LAG_MS ? 'long' : undefined
  const [interfaceSeen, diskSeen] = await Promise.all([
    looks.networkInterface(group, networkInterfaceName(machine), signal, stood),
    looks.disk(group, diskName(machine), signal, stood),
  ])
  const meant = <T extends { readonly tags?: Record<string, string> }>(seen: T | null) =>
    seen !== null && isMeant(seen.tags) ? seen : null
  const networkInterface: Part = {
    called: `the network interface of ${name}`,
    seen: meant(interfaceSeen),
    remove: (options) => network.networkInterfaces.beginDelete(group, networkInterfaceName(machine), options),
  }
  const disk: Part = {
    called: `the disk of ${name}`,
    seen: meant(diskSeen),
    remove: (options) => compute.disks.beginDelete(group, diskName(machine), options),
  }
  const [ofInterface, ofDisk] = await Promise.all([
    removeIfThere(networkInterface, at, signal),
    removeIfThere(disk, at, signal),
  ])
  if (ofInterface.there) return { at: ofInterface.at, remaining: 'parts' }
  const address: Part = {
    called: `the address of ${name}`,
    seen: meant(await looks.address(group, addressName(machine), signal, stood)),
    remove: (options) => network.publicIPAddresses.beginDelete(group, addressName(machine), options),
  }
  const last = await removeIfThere(address, at, signal)
  return { at: last.at, remaining: ofDisk.there || last.there ? 'parts' : 'nothing' }
}

/**
 * Returns null if the resource does not exist. Azure answers 204 to a DELETE of a missing resource, and 404 if the
 * whole group is missing.
 */
async function unlessAbsent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (saysAbsent(error)) return null
    throw error
  }
}

/**
 * Deletes a part if it exists. `at`: when Azure accepted the deletion, or of the last read if there was none to delete.
 */
async function removeIfThere(
  part: Part,
  lookedAt: Date,
  signal: AbortSignal,
): Promise<{ readonly at: Date; readonly there: boolean }> {
  // Reads use less of Azure's rate limit than DELETEs, and most parts are deleted together with the machine.
  if (part.seen === null) return { at: lookedAt, there: false }
  if (part.seen.provisioningState?.toLowerCase() === 'deleting') return { at: lookedAt, there: true }
  const { at } = await order(`delete ${part.called}`, signal, (options) => part.remove(options))
  // 204 means that the part disappeared after the read; the next step notices.
  return { at, there: true }
}
