import { paise, type Paise } from '@trainyard/platform/contract/words/money.ts'
import { ALLOWED_SIZES, paisePerHour } from '@trainyard/sandbox-azure/server/azure/prices.ts'

const DISK_GB = 64
/** Maximum time to delete leftover resources after a scenario, in hours. They cost money until they are deleted. */
export const CLEAN_UP_HOURS = 1

export function costOf(lifeHours: number): Paise {
  const hours = lifeHours + CLEAN_UP_HOURS
  const machine = Math.max(...ALLOWED_SIZES.map((size) => priceOf(size)))
  const disk = paisePerHour({ kind: 'disk', name: '', sku: 'Premium_LRS', sizeGb: DISK_GB, since: null }) ?? 0
  const address = paisePerHour({ kind: 'address', name: '', since: null }) ?? 0
  return paise(Math.ceil(hours * (machine + disk + address)))
}

export const priceOf = (size: string): number =>
  paisePerHour({ kind: 'machine', name: '', size, billed: true, since: null }) ?? Number.POSITIVE_INFINITY
