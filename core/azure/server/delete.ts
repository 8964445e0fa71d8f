import type { MachineDeletion } from '@trainyard/templates/server/cloud.ts'
import type { AzureMachineToDelete } from './azure-spec.ts'
import { callOrNull, startOperation, type CallOptions, type CreatedResource } from './calls.ts'
import type { PartReaders } from './part-readers.ts'
import type { AzureClients } from './clients.ts'
import { isNotFound } from './errors.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { addressName, diskName, machineIdIn, networkInterfaceName } from './names.ts'

interface Part {
  readonly label: string
  readonly seen: CreatedResource | null
  remove(options: CallOptions): Promise<unknown>
}

/** Age of a resource up to which lists may omit it. Lists of resources are assumed to lag like the list of machines. */
const LISTS_LAG_MS = 60_000

/**
 * Performs the next step: deletes the machine first, then the resources that its `deleteOption`s or a failed creation
 * left. Deletes them by name and never by group.
 */
export async function deleteStep(
  { compute, network }: AzureClients,
  readers: PartReaders,
  machine: AzureMachineToDelete,
  signal: AbortSignal,
): Promise<MachineDeletion> {
  const { name, resourceGroup: group, firstSeenAt, isKnownToExist, onlyTagged } = machine
  const hasExpectedTag = (tags: Record<string, string> | undefined) =>
    onlyTagged === undefined || machineIdIn(tags)?.toLowerCase() === onlyTagged.toLowerCase()
  const remove = (options: CallOptions) => compute.virtualMachines.beginDelete(group, name, options)
  const label = `the machine ${name}`
  const accepted =
    isKnownToExist && onlyTagged === undefined
      ? await nullIfAbsent(startOperation(`delete ${label}`, signal, remove))
      : null
  if (accepted !== null) return { at: accepted.at, remaining: 'machine' }
  const { at, body } = await callOrNull(`read ${label}`, signal, (options) =>
    compute.virtualMachines.get(group, name, options),
  )
  if (body !== null && !hasExpectedTag(body.tags)) {
    throw new CloudError('refused', `The machine ${name} was not deleted: its tag has changed.`)
  }
  const first = await deleteIfExists({ label, seen: body, remove }, at, signal)
  if (first.existed) return { at: first.at, remaining: 'machine' }

  // The age of the machine is used, because its parts are older. A part that is missed would be billed forever.
  const age = firstSeenAt && at.getTime() - firstSeenAt.getTime() > LISTS_LAG_MS ? 'old' : undefined
  const [interfaceSeen, diskSeen] = await Promise.all([
    readers.networkInterface(group, networkInterfaceName(machine), signal, age),
    readers.disk(group, diskName(machine), signal, age),
  ])
  const ifExpected = <T extends { readonly tags?: Record<string, string> }>(seen: T | null) =>
    seen !== null && hasExpectedTag(seen.tags) ? seen : null
  const networkInterface: Part = {
    label: `the network interface of ${name}`,
    seen: ifExpected(interfaceSeen),
    remove: (options) => network.networkInterfaces.beginDelete(group, networkInterfaceName(machine), options),
  }
  const disk: Part = {
    label: `the disk of ${name}`,
    seen: ifExpected(diskSeen),
    remove: (options) => compute.disks.beginDelete(group, diskName(machine), options),
  }
  const [ofInterface, ofDisk] = await Promise.all([
    deleteIfExists(networkInterface, at, signal),
    deleteIfExists(disk, at, signal),
  ])
  if (ofInterface.existed) return { at: ofInterface.at, remaining: 'parts' }
  const address: Part = {
    label: `the address of ${name}`,
    seen: ifExpected(await readers.address(group, addressName(machine), signal, age)),
    remove: (options) => network.publicIPAddresses.beginDelete(group, addressName(machine), options),
  }
  const last = await deleteIfExists(address, at, signal)
  return { at: last.at, remaining: ofDisk.existed || last.existed ? 'parts' : 'nothing' }
}

/** Azure answers 204 to a DELETE of a missing resource, and 404 if the whole group is missing. */
async function nullIfAbsent<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

async function deleteIfExists(
  part: Part,
  readAt: Date,
  signal: AbortSignal,
): Promise<{ readonly at: Date; readonly existed: boolean }> {
  // Reads use less of Azure's rate limit than DELETEs, and Azure deletes most parts together with the machine.
  if (part.seen === null) return { at: readAt, existed: false }
  if (part.seen.provisioningState?.toLowerCase() === 'deleting') return { at: readAt, existed: true }
  const { at } = await startOperation(`delete ${part.label}`, signal, (options) => part.remove(options))
  // Status 204 means that the part disappeared after the read. The next step detects this.
  return { at, existed: true }
}
