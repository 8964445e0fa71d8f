import type { MachineReading } from '@trainyard/templates/server/cloud.ts'
import type { AzureRef, AzureListedMachine, AzureMachineToRead, AzureTaggedMachine } from './azure-spec.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { VirtualMachine } from '@azure/arm-compute'
import { call, callOrNull } from './calls.ts'
import type { AzureClients } from './clients.ts'
import { isList } from './list-all.ts'
import { addressName, machineIdIn, networkInterfaceName, privateAddressIn, resourceGroupIn } from './names.ts'
import { machineState, hasPowerState } from './machine-state.ts'

export async function getMachine(
  clients: AzureClients,
  ref: AzureMachineToRead,
  signal: AbortSignal,
): Promise<MachineReading> {
  const { name, resourceGroup } = ref
  const { at, body } = await callOrNull(`read the machine ${name}`, signal, (options) =>
    clients.compute.virtualMachines.get(resourceGroup, name, { ...options, expand: 'instanceView' }),
  )
  if (body === null) return { at, seen: { state: 'absent' }, address: null }
  if (body.id === undefined) throw new CloudError('unreachable', `Azure's description of ${name} could not be read.`)
  const seen = machineState(body)
  // A machine in transition needs no address yet. The address is read once the machine runs.
  if (seen.state === 'changing') return { at, seen, address: null }
  const address = ref.addressKind === 'private address' ? readPrivateAddress : readPublicAddress
  return { at, seen, address: await address(clients, ref, signal) }
}

async function readPublicAddress({ network }: AzureClients, ref: AzureRef, signal: AbortSignal) {
  const { body } = await callOrNull(`read the address of ${ref.name}`, signal, (options) =>
    network.publicIPAddresses.get(ref.resourceGroup, addressName(ref), options),
  )
  return body?.ipAddress ?? null
}

async function readPrivateAddress({ network }: AzureClients, ref: AzureRef, signal: AbortSignal) {
  const { body } = await callOrNull(`read the network interface of ${ref.name}`, signal, (options) =>
    network.networkInterfaces.get(ref.resourceGroup, networkInterfaceName(ref), options),
  )
  return body === null ? null : (privateAddressIn(body) ?? null)
}

/** Lists machines by status only (`statusOnly`). Entries have no tags and occasionally no power state. */
export async function* listMachines(clients: AzureClients, signal: AbortSignal): AsyncGenerator<AzureListedMachine> {
  for await (const { machines, at } of pagesOf(clients, { statusOnly: 'true' }, signal)) {
    for (const machine of machines)
      yield { ...refOf(machine), at, seen: hasPowerState(machine) ? machineState(machine) : null }
  }
}

export async function* listTaggedMachines(
  clients: AzureClients,
  signal: AbortSignal,
): AsyncGenerator<AzureTaggedMachine> {
  for await (const { machines } of pagesOf(clients, {}, signal)) {
    for (const machine of machines) {
      const tagged = machineIdIn(machine.tags)
      if (tagged !== undefined) yield { ...refOf(machine), id: isId(tagged) ? tagged.toLowerCase() : null }
    }
  }
}

/**
 * Reads the pages of a list. Each page has a separate timeout, because reading a whole subscription may take longer
 * than one call.
 */
async function* pagesOf(clients: AzureClients, filter: { statusOnly?: 'true' }, signal: AbortSignal) {
  for (let page = await pageOf(clients, filter, undefined, signal); ;) {
    yield page
    if (page.next === undefined) return
    page = await pageOf(clients, filter, page.next, signal)
  }
}

async function pageOf(
  { compute }: AzureClients,
  filter: { statusOnly?: 'true' },
  link: string | undefined,
  signal: AbortSignal,
) {
  let next: string | undefined
  const { at, body } = await call('list all machines', signal, async (options) => {
    const pages = compute.virtualMachines.listAll({
      abortSignal: options.abortSignal,
      ...filter,
      onResponse: (response, body) => {
        options.onResponse(response, body)
        if (response.status < 400) next = linkAfter(body)
      },
    })
    for await (const machines of pages.byPage(link === undefined ? {} : { continuationToken: link })) return machines
    return []
  })
  return { at, machines: body, next }
}

/** Returns the link to the next page. Rejects a response without a list, which the SDK reads as an empty one. */
function linkAfter(body: unknown): string | undefined {
  if (!isList(body)) throw unreadable()
  return 'nextLink' in body && typeof body.nextLink === 'string' && body.nextLink !== '' ? body.nextLink : undefined
}

/**
 * Returns group and name from the id, because a status list guarantees few other fields. Groups are sometimes in
 * capitals.
 */
function refOf({ id }: VirtualMachine): AzureRef {
  const name = /\/virtualMachines\/([^/]+)$/i.exec(id ?? '')?.[1]
  const resourceGroup = resourceGroupIn(id ?? '')
  if (resourceGroup === undefined || name === undefined) throw unreadable()
  return { resourceGroup, name }
}

const isId = (tag: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tag)

function unreadable(): CloudError {
  return new CloudError('unreachable', "Azure's list of machines could not be read.")
}
