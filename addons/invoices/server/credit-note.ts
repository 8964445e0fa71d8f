import type { TaxDocument } from '../contract/invoice.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { figuresOf } from './document.ts'
import { roundOffOf, type TaxHeads, taxOn } from './gst/tax.ts'

type Item = TaxDocument['items'][number]

export interface CreditedAmount {
  /** Position in the invoice, from 1 */
  readonly item: number
  readonly paise: number
}

export function creditedItems(invoice: TaxDocument, notes: readonly TaxDocument[]): Item[] {
  const all = notes.flatMap(({ items }) => items)
  return invoice.items.map((item) => {
    const of = all.filter(({ description }) => description === item.description)
    const sum = (part: 'taxablePaise' | 'cgstPaise' | 'sgstPaise' | 'igstPaise' | 'totalPaise') =>
      of.reduce((total, credited) => total + credited[part], 0)
    return {
      ...item,
      taxablePaise: sum('taxablePaise'),
      cgstPaise: sum('cgstPaise'),
      sgstPaise: sum('sgstPaise'),
      igstPaise: sum('igstPaise'),
      totalPaise: sum('totalPaise'),
    }
  })
}

/** Returns an invoice with its debit notes, which is the maximum that can be credited. */
export function withDebits(invoice: TaxDocument, debitNotes: readonly TaxDocument[]): TaxDocument {
  const debited = creditedItems(invoice, debitNotes)
  const items = invoice.items.map((item, index): Item => {
    const more = debited[index]!
    return {
      ...item,
      taxablePaise: item.taxablePaise + more.taxablePaise,
      cgstPaise: item.cgstPaise + more.cgstPaise,
      sgstPaise: item.sgstPaise + more.sgstPaise,
      igstPaise: item.igstPaise + more.igstPaise,
      totalPaise: item.totalPaise + more.totalPaise,
    }
  })
  const roundOff = [invoice, ...debitNotes].reduce((sum, { totals }) => sum + totals.roundOffPaise, 0)
  return { ...invoice, ...figuresOf(items, roundOff) }
}

interface CreditedPart {
  readonly whole: Item
  readonly credited: Item
  readonly paise: number
}

/**
 * @param notes credit notes that limit the credited amounts; null for no limit
 * @throws Problem invalid or conflict if a credit exceeds the remaining amount of its item
 */
function partsOf(
  invoice: TaxDocument,
  notes: readonly TaxDocument[] | null,
  credits: readonly CreditedAmount[],
): CreditedPart[] {
  if (new Set(credits.map(({ item }) => item)).size < credits.length) {
    throw new Problem('invalid', 'An item is listed twice.')
  }
  const before = creditedItems(invoice, notes ?? [])
  return credits.map(({ item: place, paise }) => {
    const [item, credited] = [invoice.items[place - 1], before[place - 1]]
    if (item === undefined || credited === undefined) throw new Problem('invalid', `The invoice has no item ${place}.`)
    const { discountPaise: _discount, ...whole } = item
    const left = whole.taxablePaise - credited.taxablePaise
    if (notes !== null && paise > left)
      throw conflict(`At most ${formatRupees(left / 100)} of item ${place} can be credited.`)
    return { whole, credited, paise }
  })
}

const sumOfTotals = (notes: readonly TaxDocument[]): number =>
  notes.reduce((sum, { totals }) => sum + totals.totalPaise, 0)

/**
 * Returns a credit note. Its tax is that on everything credited so far minus the tax of earlier notes, so that all
 * notes add up to the invoice exactly.
 */
export function creditNoteOf(
  invoice: TaxDocument,
  notes: readonly TaxDocument[],
  credits: readonly CreditedAmount[],
  reason: string,
): TaxDocument {
  const heads = headsOf(invoice)
  const items = partsOf(invoice, notes, credits).map(({ whole, credited, paise }) =>
    creditedItem(whole, credited, paise, heads),
  )
  const figures = figuresOf(items, 0)
  const left = invoice.totals.totalPaise - sumOfTotals(notes)
  const isLast =
    notes.reduce((sum, { totals }) => sum + totals.taxablePaise, figures.totals.taxablePaise) ===
    invoice.totals.taxablePaise
  const remainder = left - figures.totals.totalPaise
  const roundOff = isLast ? remainder : Math.min(0, remainder)
  if (figures.totals.totalPaise + roundOff <= 0) throw conflict('The invoice is already fully credited.')
  return { ...noteOn(invoice, reason), kind: 'credit note', ...figuresOf(items, roundOff) }
}

/**
 * Returns a note that raises the amount of an invoice at the rates of the invoice. The tax is the tax on the raised
 * items, minus the tax of the invoice and its earlier debit notes, so that credit notes can cancel all of it exactly.
 */
export function debitNoteOf(
  invoice: TaxDocument,
  debitNotes: readonly TaxDocument[],
  debits: readonly CreditedAmount[],
  reason: string,
): TaxDocument {
  const corrected = withDebits(invoice, debitNotes)
  const items = partsOf(invoice, null, debits).map(({ whole, paise }) =>
    creditedItem(
      whole,
      corrected.items.find(({ description }) => description === whole.description)!,
      paise,
      headsOf(invoice),
    ),
  )
  const exact = figuresOf(items, 0)
  const figures = figuresOf(items, roundOffOf(exact.totals.totalPaise))
  if (figures.totals.totalPaise === 0) throw conflict('The total would be below half a rupee. Enter a larger amount.')
  return { ...noteOn(invoice, reason), kind: 'debit note', ...figures }
}

/** Returns a note that reduces the amount of an invoice but not its tax, because the time for that has passed. */
export function financialCreditNoteOf(
  invoice: TaxDocument,
  notes: readonly TaxDocument[],
  credits: readonly CreditedAmount[],
  reason: string,
): TaxDocument {
  const items = partsOf(invoice, notes, credits).map(({ whole, paise }): Item => {
    const untaxed = { rate: 0, cgstPaise: 0, sgstPaise: 0, igstPaise: 0 }
    return { ...whole, ...untaxed, taxablePaise: paise, totalPaise: paise }
  })
  const figures = figuresOf(items, 0)
  const left = invoice.totals.totalPaise - sumOfTotals(notes)
  if (figures.totals.totalPaise > left) throw conflict(`At most ${formatRupees(left / 100)} of the invoice is left.`)
  const endorsement = 'DOES NOT REDUCE THE TAX OF THE INVOICE (CGST ACT, SECTION 34(2))'
  return { ...noteOn(invoice, reason), kind: 'financial credit note', endorsement, ...figures }
}

const noteOn = (invoice: TaxDocument, reason: string): TaxDocument => ({
  ...invoice,
  number: null,
  date: null,
  dueOn: null,
  lines: [],
  of: { number: invoice.number!, date: invoice.date! },
  reason,
})

/**
 * Returns the taxes that apply to a document. Its amounts cannot show this, because the tax of a few paise is rounded
 * to zero.
 */
export function headsOf({ supplyType, placeOfSupply, supplier }: TaxDocument): TaxHeads {
  if (supplyType.endsWith('WOP')) return 'none'
  const isLocal = supplyType.startsWith('B2') && placeOfSupply.code === supplier.address.state.code
  return isLocal ? 'CGST and SGST' : 'IGST'
}

export function creditedItem(whole: Item, credited: Item, taxablePaise: number, heads: TaxHeads): Item {
  const { cgst, igst } = taxOn(credited.taxablePaise + taxablePaise, whole.rate, heads)
  const cgstPaise = cgst - credited.cgstPaise
  const igstPaise = igst - credited.igstPaise
  return {
    ...whole,
    taxablePaise,
    cgstPaise,
    sgstPaise: cgstPaise,
    igstPaise,
    totalPaise: taxablePaise + 2 * cgstPaise + igstPaise,
  }
}
