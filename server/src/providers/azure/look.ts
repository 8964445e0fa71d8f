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

/** Page by page, each with its own time limit: a whole subscription may take longer than one call may. */
export async function* lookAtAll(clients: AzureClients, signal: AbortSignal): AsyncGenerator<TaggedSighting> {
  for (let page = await pageOf(clients, undefined, signal); ; page = await pageOf(clients, page.next, signal)) {
    for (const machine of page.machines) {
      const sighting = taggedSighting(machine, page.at)
      if (sighting) yield sighting
    }
    if (page.next === undefined) return
  }
}

async function pageOf({ compute }: AzureClients, link: string | undefined, signal: AbortSignal) {
  let next: string | undefined
  const { at, body } = await ask('list all machines', signal, async (options) => {
    const pages = compute.virtualMachines.listAll({
      abortSignal: options.abortSignal,
      statusOnly: 'true',
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

function taggedSighting(machine: VirtualMachine, at: Date): TaggedSighting | null {
  const tagged = machineIdIn(machine.tags)
  if (tagged === undefined) return null
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
