import { CloudError, type MachinePlace, type Sighting, type TaggedSighting } from '../cloud.ts'
import type { VirtualMachine } from '@azure/arm-compute'
import { ask, find } from './ask.ts'
import type { AzureClients } from './clients.ts'
import { isList } from './listed.ts'
import { addressName, machineIdIn, resourceGroupIn } from './names.ts'
import { seenOf } from './seen.ts'

export async function lookAt(clients: AzureClients, place: MachinePlace, signal: AbortSignal): Promise<Sighting> {
  const { name, resourceGroup } = place
  const { at, body } = await find(`look at the machine ${name}`, signal, (options) =>
    clients.compute.virtualMachines.get(resourceGroup, name, { ...options, expand: 'instanceView' }),
  )
  if (body === null) return { at, seen: { state: 'absent' }, publicAddress: null }
  if (body.id === undefined) throw new CloudError('unreachable', `Azure's description of ${name} could not be read.`)
  const address = await find(`look at the address of ${name}`, signal, (options) =>
    clients.network.publicIPAddresses.get(resourceGroup, addressName(place), options),
  )
  return { at, seen: seenOf(body), publicAddress: address.body?.ipAddress ?? null }
}

/** A plain list says whose a machine is and nothing of its power; a list of status says its power and no tags. */
export async function* lookAtAll(clients: AzureClients, signal: AbortSignal): AsyncGenerator<TaggedSighting> {
  const tagged = new Map<string, string>()
  for await (const { machines } of pagesOf(clients, {}, signal)) {
    for (const { id, tags } of machines) {
      const machineId = machineIdIn(tags)
      if (id !== undefined && machineId !== undefined) tagged.set(id.toLowerCase(), machineId)
    }
  }
  for await (const { machines, at } of pagesOf(clients, { statusOnly: 'true' }, signal)) {
    for (const machine of machines) {
      const machineId = tagged.get(machine.id?.toLowerCase() ?? '')
      if (machineId !== undefined) yield taggedSighting(machine, machineId, at)
    }
  }
}

/** Page by page, each with its own time limit: a whole subscription may take longer than one call may. */
async function* pagesOf(clients: AzureClients, which: { statusOnly?: 'true' }, signal: AbortSignal) {
  for (let page = await pageOf(clients, which, undefined, signal); ;) {
    yield page
    if (page.next === undefined) return
    page = await pageOf(clients, which, page.next, signal)
  }
}

async function pageOf(
  { compute }: AzureClients,
  which: { statusOnly?: 'true' },
  link: string | undefined,
  signal: AbortSignal,
) {
  let next: string | undefined
  const { at, body } = await ask('list all machines', signal, async (options) => {
    const pages = compute.virtualMachines.listAll({
      abortSignal: options.abortSignal,
      ...which,
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

/** The link to the page after this one. The SDK takes a reply without a list for an empty list: that is refused. */
function linkAfter(body: unknown): string | undefined {
  if (!isList(body)) throw unreadable()
  return 'nextLink' in body && typeof body.nextLink === 'string' && body.nextLink !== '' ? body.nextLink : undefined
}

function taggedSighting(machine: VirtualMachine, tagged: string, at: Date): TaggedSighting {
  const resourceGroup = resourceGroupIn(machine.id ?? '')
  const name = machine.name
  if (resourceGroup === undefined || name === undefined) {
    throw unreadable()
  }
  const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tagged) ? tagged.toLowerCase() : null
  return { at, id, resourceGroup, name, seen: seenOf(machine), publicAddress: null }
}

function unreadable(): CloudError {
  return new CloudError('unreachable', "Azure's list of machines could not be read.")
}
