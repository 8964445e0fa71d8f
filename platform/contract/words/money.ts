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

/** Digits, plain or with commas as in India (1,00,000) or elsewhere (100,000). */
const WHOLE = String.raw`\d+|\d{1,2}(?:,\d{2})*,\d{3}|\d{1,3}(?:,\d{3})+`
const NUMBER = new RegExp(String.raw`^-?(?:(?:${WHOLE})(?:\.\d*)?|\.\d+)$`)

/**
 * Parses a typed number such as '1,00,000.50'. Returns null for anything else, also if a comma does not group the
 * digits: '800,00' may mean 800 or 80,000.
 */
export function parseNumber(text: string): number | null {
  const entered = text.trim()
  return NUMBER.test(entered) ? Number(entered.replaceAll(',', '')) : null
}

/** Parses typed rupees such as '₹1,200.50', with at most two decimals. The same rules as `parseNumber` apply. */
export function parseRupees(text: string): number | null {
  const rupees = rupeesIn(text)
  return paiseOfRupees(rupees) === null ? null : rupees
}

/**
 * Reads typed rupees for a shape, which validates them. NaN if the text is no number, or like '2.500', which may mean
 * 2.50 or 2,500.
 */
export function rupeesIn(text: string): number {
  const rupees = numberIn(text.trim().replace(/^(-?)\s*₹\s*/, '$1'))
  return /\.\d{3}/.test(text) && paiseOfRupees(rupees) !== null ? Number.NaN : rupees
}

/** Reads a typed number for a shape, which validates it. NaN if the text is no number. */
export const numberIn = (text: string): number => parseNumber(text) ?? Number.NaN

/** The same; null if the text is empty. */
export const numberOrNullIn = (text: string): number | null => (text.trim() === '' ? null : numberIn(text))

/** Returns the sentence for a refused number: the one about spaces or commas if they are the reason, else `otherwise`. */
export const numberProblem = (text: string, otherwise: string): string => {
  if (/\d\s+[\d.]/.test(text)) return 'Enter the number without spaces, as in 1,00,000 or 100000.'
  return text.includes(',') && parseNumber(text.replaceAll(/[\s₹]/g, '')) === null
    ? 'Use commas only as in 1,00,000 or 100,000, and a point before decimals.'
    : otherwise
}

/** Formats rupees for an input field: 1200.5 is '1200.50', 1200 is '1200'. */
export const formatRupeesInput = (rupees: number): string =>
  Number.isInteger(rupees) ? String(rupees) : rupees.toFixed(2)

const indian = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' })

export const formatRupees = (rupees: number): string => indian.format(rupees)

const short = new Intl.NumberFormat('en-IN', { notation: 'compact', maximumFractionDigits: 1 })

/** Formats rupees for the axis of a chart: ₹4k, ₹1.5L. */
export const shortRupees = (rupees: number): string =>
  `${rupees < 0 ? '-' : ''}₹${short.format(Math.abs(rupees)).replace(/[KT]/, 'k')}`

const whole = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: 0 })

/** Formats paise of a plan or estimate as whole rupees: ₹1,09,790. */
export const formatAbout = (amount: number): string => whole.format(Math.round(amount / 100))

/** Surcharge for browser access, per hour and machine (spec.md section 9). */
export const BROWSER_ACCESS_SURCHARGE = paise(500)

/** Reads a rate in per cent for the shape, which refuses parts of a basis point. */
export const basisPointsIn = (percent: string): number =>
  // The digits beyond the ninth decimal are those of binary fractions: 0.29 * 100 is 28.999999999999996.
  Number((numberIn(percent.replace('%', '')) * 100).toFixed(9))
