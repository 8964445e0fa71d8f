import { comparisonKey } from '@trainyard/platform/contract/words/comparison-key.ts'
import { startYear } from './financial-year.ts'
import { GST_STATES } from '@trainyard/organisations/contract/gst.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'

/** Each kind has its own number series. */
export const DOCUMENT_KINDS = [
  'invoice',
  'credit note',
  'receipt voucher',
  'refund voucher',
  'financial credit note',
  'debit note',
] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

export const DOCUMENT_TITLES: Readonly<Record<DocumentKind, string>> = {
  invoice: 'Tax Invoice',
  'credit note': 'Credit Note',
  'receipt voucher': 'Receipt Voucher',
  'refund voucher': 'Refund Voucher',
  'financial credit note': 'Financial Credit Note',
  'debit note': 'Debit Note',
}

/** Ledger entries with an INV-01 form. Vouchers document a payment, not a supply. */
export const isSupplyDocument = (kind: DocumentKind): kind is 'invoice' | 'credit note' | 'debit note' =>
  kind === 'credit note' || isChargingDocument(kind)

/** Documents that the customer must pay. */
export const isChargingDocument = (kind: DocumentKind): kind is 'invoice' | 'debit note' =>
  kind === 'invoice' || kind === 'debit note'

/** Documents that have an entry in the ledger. */
export const isEnteredDocument = (kind: DocumentKind): boolean =>
  isSupplyDocument(kind) || kind === 'financial credit note'

/**
 * Last day on which a credit note reduces the tax of an invoice: 30 November following the end of its financial year
 * (section 34(2) of the CGST Act). A financial credit note replaces it after that day.
 */
export const taxCreditUntil = (invoiceDate: string): string => `${startYear(invoiceDate) + 1}-11-30`

export const CUSTOMER_PLACES = ['india', 'sez', 'abroad'] as const
export type CustomerPlace = (typeof CUSTOMER_PLACES)[number]

/** INV-01 supply types, with (WP) or without (WOP) payment of tax. B2C is not part of INV-01. */
export const SUPPLY_TYPES = ['B2B', 'B2C', 'SEZWP', 'SEZWOP', 'EXPWP', 'EXPWOP'] as const
export type SupplyType = (typeof SUPPLY_TYPES)[number]

/** Lines of an invoice that a superadmin enters. */
export const ONE_OFF_LINES_MAX = 50

export const ABROAD = '96'

/** 99 is left out because it occurs only in GST numbers. */
export const PLACES_OF_SUPPLY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(GST_STATES).filter(([code]) => code !== '99')),
  [ABROAD]: 'Other country',
}

/** Union territories without a legislature, in which UTGST is due instead of SGST. */
const UNION_TERRITORIES = new Set(['04', '26', '31', '35', '38', '97'])

export const localTaxOf = (state: string): 'SGST' | 'UTGST' => (UNION_TERRITORIES.has(state) ? 'UTGST' : 'SGST')

/**
 * Aggregate turnover in crore rupees, in any financial year since 2017-18. E-invoicing applies above 5 crore
 * (notification 13/2020 of central tax, last amended by 10/2023); from 10 crore, the e-invoice portal accepts a
 * document only within 30 days of its date (advisory of the Goods and Services Tax Network, from 1 April 2025).
 */
export const TURNOVERS = ['up to 5', '5 to 10', '10 or more'] as const
export type Turnover = (typeof TURNOVERS)[number]
export const REGISTRATION_DAYS = 30

export const needsRegistration = (turnover: Turnover, kind: DocumentKind, supplyType: SupplyType): boolean =>
  turnover !== 'up to 5' && isSupplyDocument(kind) && supplyType !== 'B2C'

/**
 * Hours after its registration in which the e-invoice portal cancels a document. Source: error 2270 in
 * https://einvoice1.gst.gov.in/others/geterrorcodes/INV.
 */
export const CANCELLATION_HOURS = 24

/** Reasons for a cancellation that the e-invoice portal accepts, in the order of their codes from 1 to 4. */
export const CANCELLATION_REASONS = ['duplicate', 'data entry mistake', 'order cancelled', 'other'] as const
export type CancellationReason = (typeof CANCELLATION_REASONS)[number]

/** Action that corrects a valid document of each kind. */
export const CORRECTIONS: Readonly<Record<DocumentKind, string>> = {
  invoice: 'issue a credit note',
  'debit note': 'issue a credit note for its invoice',
  'credit note': 'issue a debit note for its invoice',
  'financial credit note': 'issue a debit note for its invoice',
  'receipt voucher': 'refund the payment',
  'refund voucher': 'ask your tax adviser',
}

/** Notice about the new invoice of a month whose invoice is cancelled. */
export const reviewAfterCancellation = (cancelled: string): string =>
  `${cancelled} of this month is cancelled. Check the new invoice before you issue it.`

export const ISSUING = ['approval', 'automatic'] as const

/** Earliest day of the following month for the invoices of a month, because the month is closed by this day. */
export const ISSUE_DAY_MIN = 2
export const ISSUE_DAY_MAX = 28

/** A serial number with prefix, year, number and slashes has at most 16 characters. */
export const PREFIX_PATTERN = /^[A-Z1-9][A-Z0-9]{0,3}$/
/** Corporate identity number: listed or unlisted, industry, state, year, kind of company, registration. */
export const CIN_PATTERN = /^[LU][0-9]{5}[A-Z]{2}[0-9]{4}[A-Z]{3}[0-9]{6}$/
export const PIN_PATTERN = /^[1-9][0-9]{5}$/
export const IFSC_PATTERN = /^[A-Z]{4}0[A-Z0-9]{6}$/
export const SAC_PATTERN = /^99(\d{2}|\d{4})$/

/**
 * Latin characters and the nine scripts from Devanagari to Malayalam, which the documents' fonts cover, without the
 * quotation mark, which INV-01 does not accept. Joiners are part of the spelling of Indian scripts.
 */
export const PRINTABLE_PATTERN = /^(?:[ !#-~\u00A0-\u024F\u0900-\u0D7F–—‘’“”₹]|(?<=[\u0900-\u0D7F])[\u200C\u200D])*$/u

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

export const formatMonth = (month: string): string => `${MONTHS[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`

/** Returns the description of an item with its discount, if it has one. */
export const describeItem = ({
  description,
  taxablePaise,
  discountPaise,
}: {
  readonly description: string
  readonly taxablePaise: number
  readonly discountPaise?: number | undefined
}): string =>
  discountPaise === undefined
    ? description
    : `${description}: ${formatRupees((taxablePaise + discountPaise) / 100)} less discount of ${formatRupees(discountPaise / 100)}`

export const formatTaxRate = (basisPoints: number): string => `${basisPoints / 100}%`

/** Form of the numbers of issued documents, in the spelling of `comparisonKey`; Unicode has several slashes. */
const SERIES_FORM = /^[a-z0-9]{1,4}[/\u2044\u2215\u29F8]\d{2}-\d{2}[/\u2044\u2215\u29F8]\d{5}$/

/** True for a number that a later document of a number series could have, in any spelling with the same key. */
export const hasSeriesForm = (number: string): boolean => SERIES_FORM.test(comparisonKey(number).replaceAll(' ', ''))
