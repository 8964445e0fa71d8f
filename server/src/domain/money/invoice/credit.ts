import type { TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { conflict, Problem } from '../../../core/errors.ts'
import { figuresOf } from './document.ts'
import { taxOn } from './gst/tax.ts'

type Item = TaxDocument['items'][number]

export interface Credit {
  /** From 1. */
  readonly item: number
  /** Before tax. */
  readonly paise: number
}

/** Returns what credit notes have taken off each item of an invoice. */
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

/**
 * Writes a credit note against an invoice that has `notes` already, at the invoice's own rates. The tax that it takes off
 * is the tax on all that was taken off an item so far, less what notes before took: notes for all of an invoice so add up
 * to it exactly. The last of them takes the invoice's rounding; none takes more off than is left.
 * @throws Problem conflict when more would be taken off than is left
 */
export function creditNoteOf(
  invoice: TaxDocument,
  notes: readonly TaxDocument[],
  credits: readonly Credit[],
  reason: string,
): TaxDocument {
  if (new Set(credits.map(({ item }) => item)).size < credits.length) {
    throw new Problem('invalid', 'An item is named twice.')
  }
  const before = creditedItems(invoice, notes)
  const items = credits.map(({ item, paise }) => {
    const [whole, credited] = [invoice.items[item - 1], before[item - 1]]
    if (whole === undefined || credited === undefined) throw new Problem('invalid', `The invoice has no item ${item}.`)
    const left = whole.taxablePaise - credited.taxablePaise
    if (paise > left) throw conflict(`Item ${item} has ${formatRupees(left / 100)} left to be credited.`)
    return creditedItem(whole, credited, paise)
  })
  const figures = figuresOf(items, 0)
  const taken = notes.reduce((sum, { totals }) => sum + totals.totalPaise, 0)
  const left = invoice.totals.totalPaise - taken
  const isLast =
    notes.reduce((sum, { totals }) => sum + totals.taxablePaise, figures.totals.taxablePaise) ===
    invoice.totals.taxablePaise
  const over = left - figures.totals.totalPaise
  const roundOff = isLast ? over : Math.min(0, over)
  if (figures.totals.totalPaise + roundOff <= 0) throw conflict('Nothing is left to be credited.')
  return {
    ...invoice,
    kind: 'credit note',
    number: null,
    date: null,
    ...figuresOf(items, roundOff),
    lines: [],
    of: { number: invoice.number!, date: invoice.date! },
    reason,
  }
}

/** Returns the part of an item that takes this much off it before tax, where `credited` was taken off it before. */
export function creditedItem(whole: Item, credited: Item, taxablePaise: number): Item {
  const heads = whole.igstPaise > 0 ? 'IGST' : whole.cgstPaise > 0 ? 'CGST and SGST' : 'none'
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
