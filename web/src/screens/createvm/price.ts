import { BROWSER_ACCESS_SURCHARGE, paiseOfRupees, paise, rupeesOfPaise } from '@trainyard/contract/words/money.ts'

const hourlyPaise = (rate: number, browserAccess: boolean) =>
  (paiseOfRupees(rate) ?? 0) + (browserAccess ? BROWSER_ACCESS_SURCHARGE : 0)

/** In rupees. */
export function hourlyPrice(rate: number, machines: number, browserAccess: boolean): number {
  return rupeesOfPaise(paise(hourlyPaise(rate, browserAccess) * machines))
}

/** In rupees. Rounds once per machine, like the bill. */
export function allottedPrice(rate: number, machines: number, browserAccess: boolean, minutes: number): number {
  return rupeesOfPaise(paise(Math.floor((hourlyPaise(rate, browserAccess) * minutes + 30) / 60) * machines))
}
