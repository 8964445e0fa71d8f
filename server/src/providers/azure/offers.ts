import type { ResourceSku, Usage } from '@azure/arm-compute'
import type { Offers, OfferedSize, Plan } from '../cloud.ts'
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
  return { sizes: sizes.flatMap((sku) => sizeOf(sku, location)), limits: limits.flatMap(limitOf) }
}

const limitOf = ({ name: { value }, currentValue, limit }: Usage): Offers['limits'] =>
  value === undefined ? [] : [{ family: value, used: currentValue, allowed: limit }]

function sizeOf(sku: ResourceSku, location: string): OfferedSize[] {
  const cores = Number(sku.capabilities?.find(({ name }) => name === 'vCPUs')?.value)
  const { name, family, resourceType } = sku
  if (resourceType !== 'virtualMachines' || name === undefined || family === undefined || !(cores > 0)) return []
  const barred = sku.restrictions?.find(
    ({ type, values }) => type === 'Location' && values?.some((value) => value.toLowerCase() === location),
  )
  return [{ size: name, family, cores, withheld: barred === undefined ? null : (barred.reasonCode ?? 'restricted') }]
}

/** Returns true if the operator accepted the plan's terms, which is needed once per subscription. */
export async function hasAcceptedTerms(clients: AzureClients, plan: Plan, signal: AbortSignal): Promise<boolean> {
  const { body } = await callOrNull(`read the terms of ${plan.name}`, signal, (options) =>
    clients.marketplace.marketplaceAgreements.get('virtualmachine', plan.publisher, plan.product, plan.name, options),
  )
  return body?.accepted === true
}
