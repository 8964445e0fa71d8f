import type { ResourceSku, Usage } from '@azure/arm-compute'
import type { Usage as NetworkUsage } from '@azure/arm-network'
import { type Offers, type OfferedSize, PUBLIC_ADDRESSES } from '@trainyard/templates/server/cloud.ts'
import type { Plan } from './azure-spec.ts'
import { callOrNull } from './calls.ts'
import type { AzureClients } from './clients.ts'
import { nullIfAbsent } from './errors.ts'
import { listAll } from './list-all.ts'

/** Returns the sizes offered to this subscription and the core limits. Empty for an unknown region. */
export const getOffers = async (clients: AzureClients, location: string, signal: AbortSignal): Promise<Offers> =>
  (await nullIfAbsent(() => offersIn(clients, location, signal))) ?? { sizes: [], limits: [] }

async function offersIn(clients: AzureClients, location: string, signal: AbortSignal): Promise<Offers> {
  const sizes = await listAll<ResourceSku>(`list the sizes offered in ${location}`, signal, (options) =>
    clients.compute.resourceSkus.list({ ...options, filter: `location eq '${location}'` }),
  )
  const limits = await listAll<Usage>(`list the limits in ${location}`, signal, (options) =>
    clients.compute.usageOperations.list(location, options),
  )
  const network = await listAll<NetworkUsage>(`list the network limits in ${location}`, signal, (options) =>
    clients.network.usages.list(location, options),
  )
  const addresses = network
    .filter(({ name }) => name.value === 'StandardSkuPublicIpAddresses')
    .map(({ currentValue, limit }) => ({ family: PUBLIC_ADDRESSES, used: currentValue, allowed: limit }))
  return {
    sizes: sizes.flatMap((sku) => sizeOf(sku, location)),
    limits: [...limits.flatMap(limitOf), ...addresses],
  }
}

const limitOf = ({ name: { value }, currentValue, limit }: Usage): Offers['limits'] =>
  value === undefined ? [] : [{ family: value, used: currentValue, allowed: limit }]

function sizeOf(sku: ResourceSku, location: string): OfferedSize[] {
  const capability = (name: string) => Number(sku.capabilities?.find((each) => each.name === name)?.value)
  const cores = capability('vCPUs')
  const memory = capability('MemoryGB')
  const { name, family, resourceType } = sku
  if (resourceType !== 'virtualMachines' || name === undefined || family === undefined || !(cores > 0)) return []
  const barred = sku.restrictions?.find(
    ({ type, values }) => type === 'Location' && values?.some((value) => value.toLowerCase() === location),
  )
  const memoryMb = memory > 0 ? Math.round(memory * 1024) : null
  const withheld = barred === undefined ? null : (barred.reasonCode ?? 'restricted')
  return [{ size: name, family, cores, memoryMb, withheld }]
}

/** Returns true if the operator accepted the plan's terms, which is needed once per subscription. */
export async function hasAcceptedTerms(clients: AzureClients, plan: Plan, signal: AbortSignal): Promise<boolean> {
  const { body } = await callOrNull(`read the terms of ${plan.name}`, signal, (options) =>
    clients.marketplace.marketplaceAgreements.get('virtualmachine', plan.publisher, plan.product, plan.name, options),
  )
  return body?.accepted === true
}
