import type { ExportPart } from '../contract/books-words.ts'
import type { SupplyType } from '@trainyard/ledger/contract/tax-document.ts'
import type { Applied } from '@trainyard/accounting/server/queries.ts'
import type { OtherEntry } from '@trainyard/accounting/server/hooks.ts'
import { rupees } from './entries.ts'
import type { BookedEntry } from './queries.ts'
import { ZOHO_STATES } from './zoho-states.ts'

/**
 * Columns of Zoho Books' imports of invoices, credit notes and payments received. Sources:
 * https://zoho.com/in/books/kb/gst/gst-import-format.html (treatment, GSTIN, place of supply),
 * http://zstatic.zohostatic.com/in/books/kb/import-export/specify-tax.html (Item Tax Name, Type and %), and
 * https://www.scribd.com/document/437583531/Sample-Invoices, a copy of its sample invoice file. The columns of credit
 * notes, payments and journals, including applied amounts and withholding tax, are taken from public programs that
 * write these files. No import has confirmed them.
 */
export const ZOHO_HEAD: Readonly<
  Record<Exclude<ExportPart, 'refunds' | 'corrections' | 'all entries'>, readonly string[]>
> = {
  invoices: ['Invoice Number', 'Invoice Date', ...documentHead()],
  'credit notes': ['Credit Note Number', 'Credit Note Date', 'Invoice#', 'Reason', ...documentHead()],
  payments: [
    'Payment Number',
    'Date',
    'Customer Name',
    'Mode',
    'Deposit To',
    'Reference Number',
    'Description',
    'Currency Code',
    'Exchange Rate',
    'Amount',
    'Invoice Number',
    'Amount Applied to Invoice',
    'Withholding Tax Amount',
    'Tax Account',
  ],
  settlements: ['Journal Date', 'Reference Number', 'Notes', 'Currency', 'Account', 'Description', 'Debit', 'Credit'],
}

function documentHead(): string[] {
  return [
    'Customer Name',
    'GST Treatment',
    'GST Identification Number (GSTIN)',
    'Place of Supply',
    'Currency Code',
    'Exchange Rate',
    'Item Desc',
    'Item Type',
    'HSN/SAC',
    'Quantity',
    'Item Price',
    'Is Inclusive Tax',
    'Item Tax',
    'Item Tax %',
    'Item Tax Type',
    'Adjustment',
    'Adjustment Description',
  ]
}

export function zohoLines(entry: BookedEntry): string[][] {
  const { kind, source, date, reference, document } = entry
  if (kind === 'invoice') return items(entry).map((item) => [reference, date, ...item])
  if (source === 'issued') {
    return items(entry).map((item) => [reference, date, document?.of?.number ?? '', document?.reason ?? '', ...item])
  }
  return payments(entry)
}

/** Returns a line per posting of a settlement, for the import of manual journals. */
export const zohoJournalLines = ({ date, reference, particular, postings }: OtherEntry): string[][] =>
  postings.map(([account, paise]) => [
    date,
    reference,
    particular,
    'INR',
    account,
    particular,
    paise > 0 ? rupees(paise) : '',
    paise < 0 ? rupees(-paise) : '',
  ])

function items(entry: BookedEntry): string[][] {
  const { document, customer, ledger, particular, amount } = entry
  if (document === null) {
    // The tax of a manual entry is unknown unless it was entered.
    const customerFields = [
      ledger,
      treatment(customer.place, customer.gst),
      customer.gst ?? '',
      placeOf(customer.state),
    ]
    return [
      [...customerFields, 'INR', '1', particular, 'service', '', '1', rupees(amount), 'false', '', '', '', '', ''],
    ]
  }
  const { gstin } = document.customer
  const place = PLACE_OF_SUPPLY_TYPE[document.supplyType]
  const customerFields = [ledger, treatment(place, gstin), gstin ?? '', placeOf(document.placeOfSupply.code)]
  return document.items.map((item, index) => {
    const tax = taxOf(item)
    const adjustment = index === 0 && document.totals.roundOffPaise !== 0
    return [
      ...customerFields,
      'INR',
      '1',
      item.description,
      'service',
      item.sac,
      '1',
      rupees(item.taxablePaise),
      'false',
      ...tax,
      adjustment ? rupees(document.totals.roundOffPaise) : '',
      adjustment ? 'Round off' : '',
    ]
  })
}

/** Returns the tax columns. The tax is a group of CGST and SGST within a state, and IGST between states. */
function taxOf({ rate, igstPaise, cgstPaise }: NonNullable<BookedEntry['document']>['items'][number]): string[] {
  const percent = String(rate / 100)
  if (igstPaise > 0) return [`IGST${percent}`, percent, 'ItemAmount']
  return cgstPaise > 0 ? [`GST${percent}`, percent, 'Group'] : ['IGST0', '0', 'ItemAmount']
}

const PLACE_OF_SUPPLY_TYPE: Readonly<Record<SupplyType, BookedEntry['customer']['place']>> = {
  B2B: 'india',
  B2C: 'india',
  SEZWP: 'sez',
  SEZWOP: 'sez',
  EXPWP: 'abroad',
  EXPWOP: 'abroad',
}

function treatment(place: BookedEntry['customer']['place'], gstin: string | null): string {
  if (place === 'abroad') return 'overseas'
  if (place === 'sez') return 'business_sez'
  return gstin === null ? 'business_unregistered' : 'business_registered_regular'
}

const placeOf = (code: string | null): string => (code === null ? '' : (ZOHO_STATES[code] ?? ''))

/**
 * Returns a line per invoice that a payment settles, with the tax that the payer withheld. TDS that was recorded
 * without its payment, or that settles no invoice, is exported as a payment into the account TDS Receivable.
 */
function payments(entry: BookedEntry): string[][] {
  const { kind, source, date, reference, particular, ledger, amount, applied, withheld, deductedFrom } = entry
  if (kind === 'tds' && deductedFrom !== null && isFullyApplied(applied, amount)) return []
  const [mode, account] =
    kind === 'tds'
      ? ['TDS', TDS_ACCOUNT]
      : source === 'provider'
        ? ['Razorpay', 'Payment Provider']
        : ['Bank Transfer', 'Bank']
  const head = [reference, date, ledger, mode, account, reference, particular, 'INR', '1', rupees(amount)]
  const shownTaxes = isFullyApplied(withheld, sumOf(entry.deductions)) ? withheld : []
  const invoices = [...new Set([...applied, ...shownTaxes].map(({ invoice }) => invoice))]
  const appliedTo = (parts: readonly Applied[], invoice: string) =>
    sumOf(parts.filter((each) => each.invoice === invoice))
  if (invoices.length === 0) return [[...head, '', '', '', '']]
  return invoices.map((invoice) => {
    const tax = appliedTo(shownTaxes, invoice)
    return [
      ...head,
      invoice,
      rupees(appliedTo(applied, invoice)),
      tax === 0 ? '' : rupees(tax),
      tax === 0 ? '' : TDS_ACCOUNT,
    ]
  })
}

const TDS_ACCOUNT = 'TDS Receivable'
const sumOf = (parts: readonly { readonly amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0)
const isFullyApplied = (applied: readonly Applied[], amount: number): boolean => sumOf(applied) === amount
