import type { Branded } from './ids.ts'

/** Whole paise, never a float of rupees. */
export type Paise = Branded<number, 'paise'>

export function paise(amount: number): Paise {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not a whole number of paise`)
  return amount as Paise
}

/** Converts rupees to paise exactly: 0.29 is 29 paise. Null if there are more than two decimals. */
export function paiseOfRupees(rupees: number): Paise | null {
  const rounded = Math.round(rupees * 100)
  return Number.isSafeInteger(rounded) && rounded / 100 === rupees ? (rounded as Paise) : null
}

export const rupeesOfPaise = (amount: Paise): number => amount / 100

const indian = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' })

export const formatRupees = (rupees: number): string => indian.format(rupees)

/** Surcharge for browser access, per hour and machine (spec.md section 9). */
export const BROWSER_ACCESS_SURCHARGE = paise(500)
