import { BROWSER_ACCESS_SURCHARGE, paiseOfRupees, paise, rupeesOfPaise } from '@trainyard/contract/words/money.ts'

/** What machines of a card cost together for each hour that all of them run, in rupees. */
export function hourlyPrice(rate: number, machines: number, browserAccess: boolean): number {
  const each = (paiseOfRupees(rate) ?? 0) + (browserAccess ? BROWSER_ACCESS_SURCHARGE : 0)
  return rupeesOfPaise(paise(each * machines))
}
