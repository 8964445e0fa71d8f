import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import { formatRupees, type Paise, rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { Tx } from '../../../db/schema.ts'
import type { PaymentRow } from '../../../db/tables/payments.gen.ts'
import type { ProviderPayment } from '../../../providers/payments.ts'
import type { Columns } from '../../../reconcile/outcome.ts'
import { addPurchase } from '../credit/purchase.ts'
import { addEntry, creditedBy } from '../ledger/entries.ts'
import { settledBy } from '../ledger/settles.ts'
import { secondsToNextPoll } from './due.ts'
import { assignToProforma, lockCapturedFor } from './proforma.ts'
import { addRefundEntry } from './refund-entry.ts'

export interface RecordedPayments {
  readonly added: readonly string[]
  /** Proforma invoice to which an added payment was assigned; null: none. */
  readonly assignedTo: string | null
  /**
   * Result for the payment's row: `last_error` says why a payment was not credited, `next` is the number of seconds
   * until the next poll.
   */
  readonly outcome: { readonly set: Columns<PaymentRow>; readonly next: number | null }
}

/**
 * Credits online payments, each only once. No other code credits payments.
 * @param payment locked row; the caller stores the outcome in this row
 */
export async function recordPayments(
  tx: Tx,
  payment: PaymentRow & { readonly now: Date },
  seen: readonly ProviderPayment[],
): Promise<RecordedPayments> {
  const added: string[] = []
  const errors: string[] = []
  const captured = seen.filter(({ state, orderId }) => state === 'captured' && orderId === payment.order_id)
  const [matching, mismatched] = [
    captured.filter((one) => matchesOrder(payment, one)),
    captured.filter((one) => !matchesOrder(payment, one)),
  ]
  const entry = {
    organisation: payment.organisation_id,
    kind: 'payment',
    source: 'provider',
    by: payment.asked_by,
  } as const
  let assignedTo: string | null = null
  const { organisation_id: organisation, quote_id: quote } = payment
  for (const { id, amount, at, refunds } of matching) {
    const { particular, settles, buys, assignedTo: proforma } = await purposeOf(tx, payment, amount)
    const credit = { ...entry, settles, reference: id, particular, amount: amount as Paise, date: at }
    if (await addEntry(tx, credit)) {
      added.push(id)
      if (buys !== null) await addPurchase(tx, { organisation, ...buys }, { payment: id, amount: amount as Paise })
      if (proforma !== null) {
        await assignToProforma(tx, quote!, { organisation, id, by: payment.asked_by })
        assignedTo = proforma
      }
    } else if ((await creditedBy(tx, payment.organisation_id, id)) !== amount)
      errors.push(`${id} was entered manually with another amount.`)
    for (const refund of refunds) if (await addRefundEntry(tx, payment, id, refund)) added.push(refund.id)
  }
  const paid = payment.paid_at !== null || matching.length > 0
  errors.push(...mismatched.filter((one) => !isFullyRefunded(one)).map((one) => describeMismatch(payment, one)))
  const ids = matching.map(({ id }) => id)
  return {
    added,
    assignedTo,
    outcome: {
      set: {
        last_error: errors.length === 0 ? null : errors.join(' '),
        credited: [...new Set([...payment.credited, ...ids])],
        paid_at: payment.paid_at ?? (paid ? payment.now : null),
      },
      next: secondsToNextPoll((payment.now.getTime() - payment.opened_at.getTime()) / 1000, paid),
    },
  }
}

interface Purpose {
  readonly particular: string
  readonly settles: string | null
  /** Prepaid credit that the payment buys; null: none. */
  readonly buys: { readonly training: TrainingId | null } | null
  /** Proforma invoice that the payment is for; null: none. */
  readonly assignedTo: string | null
}

async function purposeOf(tx: Tx, payment: PaymentRow, amount: number): Promise<Purpose> {
  const paid = particularOf(payment, amount)
  if (payment.quote_id) {
    const { proforma, onAccount, settles, buys } = await lockCapturedFor(tx, payment.quote_id)
    const particular = onAccount === null ? `${paid} for ${proforma}` : `${paid} on account because ${onAccount}`
    return { particular, settles, buys, assignedTo: onAccount === null && settles === null ? proforma : null }
  }
  const chosen = payment.on_account || payment.prepaid ? null : undefined
  return {
    particular: paid,
    // A chosen invoice was checked when the order was created. It is not checked again, because it can be cancelled
    // before the payment is captured, and captured money is never refused: a payment of a cancelled invoice is on account.
    settles: payment.settles ?? (await settledBy(tx, { id: payment.organisation_id }, chosen, amount, 'supplier')),
    buys: payment.prepaid ? { training: payment.prepaid_training ?? null } : null,
    assignedTo: null,
  }
}

const isFullyRefunded = ({ amount, refunds }: ProviderPayment): boolean =>
  refunds.reduce((sum, refund) => sum + refund.amount, 0) === amount

const matchesOrder = (payment: PaymentRow, { amount, currency, paysOrder = false }: ProviderPayment): boolean =>
  currency === 'INR' && (amount === payment.amount_paise || paysOrder)

const particularOf = ({ amount_paise }: PaymentRow, amount: number): string =>
  amount === amount_paise
    ? 'Online payment'
    : `Online payment of an order of ${formatRupees(rupeesOfPaise(amount_paise))} (fee or offer)`

function describeMismatch(payment: PaymentRow, { id, amount, currency }: ProviderPayment): string {
  const ordered = formatRupees(rupeesOfPaise(payment.amount_paise))
  return `${id} is ${amount / 100} ${currency} instead of the ordered ${ordered}. It was not credited.`
}
