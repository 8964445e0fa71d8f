import { paise, type Paise } from '@trainyard/contract/words/money.ts'
import { ALLOWED_SIZES, paisePerHour } from '../domain/sandbox/azure/prices.ts'

const DISK_GB = 64
/** Things left after a life may take this long to go, and cost as long. */
export const CLEAN_UP_HOURS = 1

/** The most that one machine with its disk and address costs in a life of so many hours, whichever size it came to. */
export function costOf(lifeHours: number): Paise {
  const hours = lifeHours + CLEAN_UP_HOURS
  const machine = Math.max(...ALLOWED_SIZES.map((size) => priceOf(size)))
  const disk = paisePerHour({ kind: 'disk', name: '', sku: 'Premium_LRS', sizeGb: DISK_GB, since: null }) ?? 0
  const address = paisePerHour({ kind: 'address', name: '', since: null }) ?? 0
  return paise(Math.ceil(hours * (machine + disk + address)))
}

/** Paise for an hour of a machine that runs. */
export const priceOf = (size: string): number =>
  paisePerHour({ kind: 'machine', name: '', size, billed: true, since: null }) ?? Number.POSITIVE_INFINITY
