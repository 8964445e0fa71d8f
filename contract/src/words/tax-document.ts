import { GST_STATES } from './gst.ts'

/** The documents that are issued under the GST rules, each with a series of its own. */
export const DOCUMENT_KINDS = ['invoice', 'credit note', 'receipt voucher', 'refund voucher'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** The titles that the documents bear. */
export const DOCUMENT_TITLES: Readonly<Record<DocumentKind, string>> = {
  invoice: 'Tax Invoice',
  'credit note': 'Credit Note',
  'receipt voucher': 'Receipt Voucher',
  'refund voucher': 'Refund Voucher',
}

/** The documents that stand in the ledger and that INV-01 has a form of: vouchers tell of money, not of a supply. */
export const isOfSupply = (kind: DocumentKind): kind is 'invoice' | 'credit note' =>
  kind === 'invoice' || kind === 'credit note'

/** Where a customer is, as the tax sees it: in India, in a special economic zone (SEZ), or abroad. */
export const CUSTOMER_PLACES = ['india', 'sez', 'abroad'] as const
export type CustomerPlace = (typeof CUSTOMER_PLACES)[number]

/**
 * The kinds of supply of INV-01: to a business, to a special economic zone or as export, each of the latter two with
 * (WP) or without (WOP) payment of tax. B2C, to who is not registered, is none of INV-01's: the portal takes no such
 * invoice.
 */
export const SUPPLY_TYPES = ['B2B', 'B2C', 'SEZWP', 'SEZWOP', 'EXPWP', 'EXPWOP'] as const
export type SupplyType = (typeof SUPPLY_TYPES)[number]

/** Code of the place of supply outside India. */
export const ABROAD = '96'

/** The places of supply, by their codes: 99 appears in numbers only. */
export const PLACES_OF_SUPPLY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(GST_STATES).filter(([code]) => code !== '99')),
  [ABROAD]: 'Other country',
}

/** Union territories without a legislature of their own: their tax beside the centre's is called UTGST. */
const UNION_TERRITORIES = new Set(['04', '26', '31', '35', '38', '97'])

/** The name of the tax beside CGST in a state. */
export const localTaxOf = (state: string): 'SGST' | 'UTGST' => (UNION_TERRITORIES.has(state) ? 'UTGST' : 'SGST')

/** Invoices are issued by the portal itself on a day of the month, or once a superadmin has seen each. */
export const ISSUING = ['approval', 'by itself'] as const
export type Issuing = (typeof ISSUING)[number]

/** A month's invoices are issued by the portal on one of these days of the next; the month is closed then. */
export const ISSUE_DAY_MIN = 2
export const ISSUE_DAY_MAX = 28

/** Characters of a series' prefix: with year, number and strokes a serial number has 16 at most. */
export const PREFIX_LENGTH = 4
export const PREFIX_PATTERN = /^[A-Z1-9][A-Z0-9]{0,3}$/
export const PIN_PATTERN = /^[1-9][0-9]{5}$/
export const IFSC_PATTERN = /^[A-Z]{4}0[A-Z0-9]{6}$/
export const SAC_PATTERN = /^99(\d{2}|\d{4})$/

/** The characters that the documents' font has, without the quotation mark, which INV-01 takes nowhere. */
export const PRINTED = /^[ !#-~\u00A0-\u024F\u0900-\u097F–—‘’“”₹]*$/u

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** Writes a month, YYYY-MM, as people say it: October 2026. */
export const monthWords = (month: string): string => `${MONTHS[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`

/** Writes a rate of tax, in hundredths of a per cent: 18%. */
export const rateWords = (basisPoints: number): string => `${basisPoints / 100}%`
