import {
  BROWSER_ACCESS_SURCHARGE,
  paiseOfRupees,
  paise,
  rupeesOfPaise,
} from '@trainyard/platform/contract/words/money.ts'

const hourlyPaise = (rate: number, browserAccess: boolean) =>
  (paiseOfRupees(rate) ?? 0) + (browserAccess ? BROWSER_ACCESS_SURCHARGE : 0)

/** Returns the price per hour in rupees. */
export function hourlyPrice(rate: number, machines: number, browserAccess: boolean): number {
  return rupeesOfPaise(paise(hourlyPaise(rate, browserAccess) * machines))
}

/** Returns the price of the allocated hours in rupees, rounded once per machine as in the bill. */
export function allottedPrice(rate: number, machines: number, browserAccess: boolean, minutes: number): number {
  return rupeesOfPaise(paise(Math.floor((hourlyPaise(rate, browserAccess) * minutes + 30) / 60) * machines))
}
