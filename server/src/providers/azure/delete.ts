import type { MachineDeletion, MachineToDelete } from '../cloud.ts'
import { find, order, type CallOptions, type Made } from './ask.ts'
import type { LooksAtBrought } from './brought.ts'
import type { AzureClients } from './clients.ts'
import { saysAbsent } from './errors.ts'
import { CloudError } from '../errors.ts'
import { addressName, diskName, machineIdIn, networkInterfaceName } from './names.ts'

/** One thing that a machine's order brought: how it was seen to stand (null: it doesn't), and how to be rid of it. */
interface Part {
  readonly called: string
  readonly seen: Made | null
  remove(options: CallOptions): Promise<unknown>
}

/** The same as for the list of machines: this soon after a change a list may still lack it. */
const LISTS_LAG_MS = 60_000

/**
 * One step of a deletion, by name and never by group. The machine first; when it is gone, what its `deleteOption`s
 * left behind or what a half-made order had brought: network interface and disk, then the address that the former
 * holds. These are looked at together with those of others that are deleted in the same seconds.
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
    throw new CloudError('refused', `The machine ${name} does not carry the tag that was seen, so it stays.`)
  }
  const first = await removeIfThere({ called, seen: body, remove }, at, signal)
  if (first.there) return { at: first.at, remaining: 'machine' }

  // A machine's parts were made before it. No existing part may be missed: it would cost for ever, unseen.
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

/** Azure answers 204 to a DELETE of what isn't there, and 404 where the whole group isn't. */
async function unlessAbsent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (saysAbsent(error)) return null
    throw error
  }
}

/** `at`: when Azure took the deletion, or was last looked at where none was asked for. */
async function removeIfThere(
  part: Part,
  lookedAt: Date,
  signal: AbortSignal,
): Promise<{ readonly at: Date; readonly there: boolean }> {
  // A look costs less of Azure's allowance than a DELETE, and most of these are gone with the machine.
  if (part.seen === null) return { at: lookedAt, there: false }
  if (part.seen.provisioningState?.toLowerCase() === 'deleting') return { at: lookedAt, there: true }
  const { at } = await order(`delete ${part.called}`, signal, (options) => part.remove(options))
  // 204: gone between the look and this; the next step sees it.
  return { at, there: true }
}
