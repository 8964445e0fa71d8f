import type { TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import { paise, type Paise } from '@trainyard/contract/words/money.ts'
import type { ReadySupplier } from '../supplier/readiness.ts'
import { creditedItem, creditedItems } from './credit.ts'
import type { Customer } from './customer.ts'
import { figuresOf, partiesOf } from './document.ts'
import { taxOn } from './gst/tax.ts'

/** A payment or a refund of the ledger, as a voucher names it. */
export interface Money {
  readonly number: string
  /** YYYY-MM-DD. */
  readonly date: string
}

/**
 * Writes a receipt voucher (CGST Rule 50) for money that came ahead of any invoice. The tax is in it: the voucher's total
 * is what came, to the paisa.
 * @param rate hundredths of a per cent
 */
export function receiptVoucherOf(
  supplier: ReadySupplier,
  customer: Customer,
  payment: Money,
  advance: Paise,
  rate: number,
): TaxDocument {
  const { heads, ...between } = partiesOf(supplier, customer)
  const taxablePaise = heads === 'none' ? advance : beforeTax(advance, rate)
  const { cgst, sgst, igst } = taxOn(taxablePaise, rate, heads)
  const totalPaise = taxablePaise + cgst + sgst + igst
  const taxes = { cgstPaise: cgst, sgstPaise: sgst, igstPaise: igst }
  const description = 'Advance for virtual lab machines and sandboxes'
  const item = { description, sac: supplier.sac, rate, taxablePaise, ...taxes, totalPaise }
  return {
    kind: 'receipt voucher',
    number: null,
    date: null,
    month: null,
    ...between,
    reverseCharge: false,
    ...figuresOf([item], advance - totalPaise),
    lines: [],
    of: payment,
    reason: null,
  }
}

/**
 * Writes a refund voucher (CGST Rule 51) against a receipt voucher that has `notes` already: all of them together take
 * off it what it says, and each is over what was paid back.
 * @param back at most what is left of the voucher
 */
export function refundVoucherOf(
  voucher: TaxDocument,
  notes: readonly TaxDocument[],
  refund: Money,
  back: Paise,
): TaxDocument {
  const [whole] = voucher.items
  const [before] = creditedItems(voucher, notes)
  if (whole === undefined || before === undefined) throw new Error(`${voucher.number} has no item.`)
  const isTaxed = whole.totalPaise > whole.taxablePaise
  const left = whole.taxablePaise - before.taxablePaise
  const isLast = back === leftOf(voucher, notes)
  const item = creditedItem(whole, before, isLast ? left : Math.min(left, isTaxed ? beforeTax(back, whole.rate) : back))
  return {
    ...voucher,
    kind: 'refund voucher',
    number: null,
    date: null,
    ...figuresOf([item], back - item.totalPaise),
    of: { number: voucher.number!, date: voucher.date! },
    reason: `Refund ${refund.number}`,
  }
}

/** Returns what is left of a receipt voucher after the refund vouchers against it. */
export const leftOf = (voucher: TaxDocument, notes: readonly TaxDocument[]): Paise =>
  paise(voucher.totals.totalPaise - notes.reduce((sum, { totals }) => sum + totals.totalPaise, 0))

/** Returns the part of a sum that is taxed, where the tax is in it: rounded half up to the paisa. */
const beforeTax = (sum: number, rate: number): Paise => {
  const whole = 10_000n + BigInt(rate)
  return paise(Number((2n * BigInt(sum) * 10_000n + whole) / (2n * whole)))
}
