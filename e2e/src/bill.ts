import { formatRupees } from '@trainyard/contract/words/money.ts'

/**
 * Returns the cost of the given seconds as shown on screen: each machine rounded half up to the paisa once, then
 * summed. Calculated independently with integers, so that the portal's own arithmetic is tested.
 * @param rate rupees per hour
 */
export function billOf(seconds: readonly number[], rate: number): string {
  const perHour = BigInt(Math.round(rate * 100))
  const paise = seconds
    .map((each) => {
      const scaled = BigInt(each) * perHour
      return scaled / 3600n + ((scaled % 3600n) * 2n >= 3600n ? 1n : 0n)
    })
    .reduce((sum, each) => sum + each, 0n)
  return formatRupees(Number(paise) / 100)
}
