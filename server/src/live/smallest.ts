import { ALLOWED_SIZES } from '../domain/sandbox/azure/prices.ts'
import type { Cloud } from '../providers/cloud.ts'
import { priceOf } from './cost.ts'
import { LifeError } from './life.ts'

/** A platform image, as Azure names it. */
export interface ImageName {
  readonly publisher: string
  readonly offer: string
  readonly sku: string
  readonly version: string
}

/** Returns the cheapest size that may be had at a location now and fits the subscription's limits. Throws LifeError. */
export async function smallestSize(cloud: Cloud, location: string, signal: AbortSignal): Promise<string> {
  const { sizes, limits } = await cloud.offersAt(location, signal)
  const room = (family: string) => {
    const limit = limits.find((each) => each.family.toLowerCase() === family.toLowerCase())
    return limit === undefined ? 0 : limit.allowed - limit.used
  }
  const fits = ALLOWED_SIZES.toSorted((a, b) => priceOf(a) - priceOf(b)).find((size) => {
    const offered = sizes.find((each) => each.size === size)
    // The machine and the one made of its image stand at the same time.
    return offered?.withheld === null && Math.min(room(offered.family), room('cores')) >= 2 * offered.cores
  })
  if (fits === undefined) throw new LifeError(`None of ${ALLOWED_SIZES.join(', ')} can be had in ${location} now.`)
  return fits
}
