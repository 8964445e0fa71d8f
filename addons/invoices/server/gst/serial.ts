import { createHash } from 'node:crypto'
import { startYear } from '@trainyard/ledger/contract/financial-year.ts'

/** Returns a serial number, which has at most 16 characters with a prefix of four. */
export const serialNumber = (prefix: string, year: string, serial: number): string =>
  `${prefix}/${year}/${String(serial).padStart(5, '0')}`

export const INV_01_TYPES = { invoice: 'INV', 'credit note': 'CRN', 'debit note': 'DBN' } as const

/** Returns the invoice reference number (IRN) that the e-invoice portal assigns. */
export function irnOf(gstin: string, kind: keyof typeof INV_01_TYPES, number: string, day: string): string {
  const start = startYear(day)
  const year = `${start}-${String((start + 1) % 100).padStart(2, '0')}`
  return createHash('sha256').update(`${gstin}${year}${INV_01_TYPES[kind]}${number}`).digest('hex')
}
