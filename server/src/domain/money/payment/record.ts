import { formatRupees, type Paise, rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { Tx } from '../../../db/schema.ts'
import type { PaymentRow } from '../../../db/schema/payment.ts'
import type { SeenPayment } from '../../../providers/payments.ts'
import type { Columns } from '../../../reconcile/outcome.ts'
import { addEntry, creditedBy } from '../ledger/entries.ts'
import { nextLook } from './due.ts'
import { enterRefund } from './refund-entry.ts'

export interface Recorded {
  /** Numbers of the payments and refunds that came into the ledger now. */
  readonly added: readonly string[]
  /** The order's row says this then (why a captured payment is not credited), and when it is looked at next. */
  readonly outcome: { readonly set: Columns<PaymentRow>; readonly next: number | null }
}

/**
 * Writes down what the provider has for an order; the one place that credits. The browser's word, the provider's
 * event and the clock all only lead here. Each captured payment is credited once, with what was captured, and what was
 * paid back is taken off once; anything but the order's own amount in rupees is left to people, to be paid back.
 * @param payment the order's row, locked. The caller writes its outcome.
 */
export async function recordSeen(
  tx: Tx,
  payment: PaymentRow & { readonly now: Date },
  seen: readonly SeenPayment[],
): Promise<Recorded> {
  const added: string[] = []
  const errors: string[] = []
  const captured = seen.filter(({ state, orderId }) => state === 'captured' && orderId === payment.order_id)
  const [good, strange] = [captured.filter((one) => fits(payment, one)), captured.filter((one) => !fits(payment, one))]
  const entry = {
    organisation: payment.organisation_id,
    kind: 'payment',
    source: 'provider',
    by: payment.asked_by,
  } as const
  for (const { id, amount, at, refunds } of good) {
    const credit = { ...entry, reference: id, particular: 'Online payment', amount: amount as Paise, date: at }
    if (await addEntry(tx, credit)) added.push(id)
    else if ((await creditedBy(tx, payment.organisation_id, id)) !== amount)
      errors.push(`${id} was entered by hand with another amount.`)
    for (const refund of refunds) if (await enterRefund(tx, payment, id, refund)) added.push(refund.id)
  }
  const paid = payment.paid_at !== null || good.length > 0
  errors.push(...strange.filter((one) => !isBack(one)).map((one) => strangeness(payment, one)))
  const numbers = good.map(({ id }) => id)
  return {
    added,
    outcome: {
      set: {
        last_error: errors.length === 0 ? null : errors.join(' '),
        credited: [...new Set([...payment.credited, ...numbers])],
        paid_at: payment.paid_at ?? (paid ? payment.now : null),
      },
      next: nextLook((payment.now.getTime() - payment.created_at.getTime()) / 1000, paid),
    },
  }
}

/** Returns true for a payment that was refunded in full: it needs nobody's care any more. */
const isBack = ({ amount, refunds }: SeenPayment): boolean =>
  refunds.reduce((sum, refund) => sum + refund.amount, 0) === amount

const fits = (payment: PaymentRow, { amount, currency }: SeenPayment): boolean =>
  currency === 'INR' && amount === payment.amount_paise

function strangeness(payment: PaymentRow, { id, amount, currency }: SeenPayment): string {
  const asked = formatRupees(rupeesOfPaise(payment.amount_paise))
  return `${id} is ${amount / 100} ${currency} and not the ${asked} that were asked for: it is not credited.`
}
