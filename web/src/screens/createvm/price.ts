import { BROWSER_ACCESS_SURCHARGE, paiseOfRupees, paise, rupeesOfPaise } from '@trainyard/contract/words/money.ts'

const eachAnHour = (rate: number, browserAccess: boolean) =>
  (paiseOfRupees(rate) ?? 0) + (browserAccess ? BROWSER_ACCESS_SURCHARGE : 0)

/** Returns the price of each hour that all machines of a template run, in rupees. */
export function hourlyPrice(rate: number, machines: number, browserAccess: boolean): number {
  return rupeesOfPaise(paise(eachAnHour(rate, browserAccess) * machines))
}

/** Returns the price of all allotted minutes of all machines, in rupees: rounded as the bill is, once a machine. */
export function allottedPrice(rate: number, machines: number, browserAccess: boolean, minutes: number): number {
  return rupeesOfPaise(paise(Math.floor((eachAnHour(rate, browserAccess) * minutes + 30) / 60) * machines))
}
