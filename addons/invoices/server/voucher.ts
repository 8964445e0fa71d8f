import type { TaxDocument } from '../contract/invoice.ts'
import { paise, type Paise } from '@trainyard/platform/contract/words/money.ts'
import type { ReadySupplier } from './supplier/readiness.ts'
import { creditedItem, creditedItems, headsOf } from './credit-note.ts'
import type { Customer } from './customer.ts'
import { figuresOf, partiesOf } from './document.ts'
import { beforeTax, taxOn } from './gst/tax.ts'

export interface VoucherEntry {
  readonly number: string
  readonly date: string
}

/**
 * Returns a receipt voucher (CGST Rule 50). The received amount includes the tax.
 * @param rate basis points on the day of the payment
 */
export function receiptVoucherOf(
  supplier: ReadySupplier,
  customer: Customer,
  payment: VoucherEntry,
  advance: Paise,
  rate: number,
): TaxDocument {
  const { heads, ...between } = partiesOf(supplier, customer, payment.date)
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
    dueOn: null,
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
 * Returns a refund voucher (CGST Rule 51). All refund vouchers of a receipt voucher add up to it exactly.
 * @param back at most the remaining amount
 */
export function refundVoucherOf(
  voucher: TaxDocument,
  notes: readonly TaxDocument[],
  refund: VoucherEntry,
  refunded: Paise,
): TaxDocument {
  const [whole] = voucher.items
  const [before] = creditedItems(voucher, notes)
  if (whole === undefined || before === undefined) throw new Error(`${voucher.number} has no item.`)
  const isTaxed = whole.totalPaise > whole.taxablePaise
  const left = whole.taxablePaise - before.taxablePaise
  const isLast = refunded === remainingOf(voucher, notes)
  const part = isLast ? left : Math.min(left, isTaxed ? beforeTax(refunded, whole.rate) : refunded)
  const item = creditedItem(whole, before, part, headsOf(voucher))
  return {
    ...voucher,
    kind: 'refund voucher',
    number: null,
    date: null,
    ...figuresOf([item], refunded - item.totalPaise),
    of: { number: voucher.number!, date: voucher.date! },
    reason: `Refund ${refund.number}`,
  }
}

export const remainingOf = (voucher: TaxDocument, notes: readonly TaxDocument[]): Paise =>
  paise(voucher.totals.totalPaise - notes.reduce((sum, { totals }) => sum + totals.totalPaise, 0))
