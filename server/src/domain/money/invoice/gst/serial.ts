import { createHash } from 'node:crypto'

/** A financial year runs from April to March. */
const yearOf = (day: string): number => Number(day.slice(0, 4)) - (day.slice(5, 7) < '04' ? 1 : 0)

const twoDigits = (year: number): string => String(year % 100).padStart(2, '0')

export const financialYear = (day: string): string => `${twoDigits(yearOf(day))}-${twoDigits(yearOf(day) + 1)}`

/** At most 16 characters with a prefix of four. */
export const serialNumber = (prefix: string, year: string, serial: number): string =>
  `${prefix}/${year}/${String(serial).padStart(5, '0')}`

export const INV_01_TYPES = { invoice: 'INV', 'credit note': 'CRN' } as const

/** Invoice reference number (IRN) that the e-invoice portal assigns. */
export function irnOf(gstin: string, kind: keyof typeof INV_01_TYPES, number: string, day: string): string {
  const year = `${yearOf(day)}-${twoDigits(yearOf(day) + 1)}`
  return createHash('sha256').update(`${gstin}${year}${INV_01_TYPES[kind]}${number}`).digest('hex')
}
