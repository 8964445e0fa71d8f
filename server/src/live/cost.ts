import { paise, type Paise } from '@trainyard/contract/words/money.ts'
import { ALLOWED_SIZES, paisePerHour } from '../domain/sandbox/azure/prices.ts'

const DISK_GB = 64

/** The most that one machine with its disk and address costs in so many hours, whichever size it came to. */
export function costOf(hours: number): Paise {
  const machine = Math.max(...ALLOWED_SIZES.map((size) => priceOf(size)))
  const disk = paisePerHour({ kind: 'disk', name: '', sku: 'Premium_LRS', sizeGb: DISK_GB, since: null }) ?? 0
  const address = paisePerHour({ kind: 'address', name: '', since: null }) ?? 0
  return paise(Math.ceil(hours * (machine + disk + address)))
}

/** Paise for an hour of a machine that runs. */
export const priceOf = (size: string): number =>
  paisePerHour({ kind: 'machine', name: '', size, billed: true, since: null }) ?? Number.POSITIVE_INFINITY
