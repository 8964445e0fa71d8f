import { ALLOWED_SIZES } from '@trainyard/sandbox-azure/server/azure/prices.ts'
import type { Cloud } from '@trainyard/templates/server/cloud.ts'
import { priceOf } from './cost.ts'
import { ScenarioError } from './scenario.ts'

export interface ImageName {
  readonly publisher: string
  readonly offer: string
  readonly sku: string
  readonly version: string
}

/** @throws ScenarioError */
export async function cheapestSize(cloud: Cloud, location: string, signal: AbortSignal): Promise<string> {
  const { sizes, limits } = await cloud.getOffers(location, signal)
  const room = (family: string) => {
    const limit = limits.find((each) => each.family.toLowerCase() === family.toLowerCase())
    return limit === undefined ? 0 : limit.allowed - limit.used
  }
  const fits = ALLOWED_SIZES.toSorted((a, b) => priceOf(a) - priceOf(b)).find((size) => {
    const offered = sizes.find((each) => each.size === size)
    // The machine and the machine created from its image exist at the same time.
    return offered?.withheld === null && Math.min(room(offered.family), room('cores')) >= 2 * offered.cores
  })
  if (fits === undefined)
    throw new ScenarioError(`None of ${ALLOWED_SIZES.join(', ')} is available in ${location} now.`)
  return fits
}
