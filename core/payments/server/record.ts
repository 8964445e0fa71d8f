import { formatRupees, type Paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { ask } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PaymentRow } from '../tables.gen.ts'
import type { ProviderPayment } from './payments-provider.ts'
import type { Columns } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import { addEntry, creditedBy } from '@trainyard/ledger/server/entries.ts'
import { settledBy } from '@trainyard/ledger/server/settled-by.ts'
import { secondsToNextPoll } from './due.ts'
import { capturedFor } from './purpose.ts'
import { addRefundEntry } from './refund-entry.ts'

export interface RecordedPayments {
  readonly added: readonly string[]
  /** Text of the audit log about the purpose of an added payment; null: none. */
  readonly completed: object | null
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
  let completed: object | null = null
  for (const { id, amount, at, refunds } of matching) {
    const { particular, settles, complete } = await purposeOf(tx, payment, amount)
    const credit = { ...entry, settles, reference: id, particular, amount: amount as Paise, date: at }
    if (await addEntry(tx, credit)) {
      added.push(id)
      completed = (await complete(id)) ?? completed
    } else if ((await creditedBy(tx, payment.organisation_id, id)) !== amount)
      errors.push(`${id} was entered manually with another amount.`)
    for (const refund of refunds) if (await addRefundEntry(tx, payment, id, refund)) added.push(refund.id)
  }
  const paid = payment.paid_at !== null || matching.length > 0
  errors.push(...mismatched.filter((one) => !isFullyRefunded(one)).map((one) => describeMismatch(payment, one)))
  const ids = matching.map(({ id }) => id)
  return {
    added,
    completed,
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

async function purposeOf(tx: Tx, payment: PaymentRow, amount: number) {
  const particular = particularOf(payment, amount)
  const purpose = await ask(tx, capturedFor, { payment, amount, particular })
  if (purpose !== null) return purpose
  const chosen = payment.on_account ? null : undefined
  // A chosen invoice was checked when the order was created. It is not checked again, because it can be cancelled
  // before the payment is captured, and captured money is never refused: a payment of a cancelled invoice is on account.
  const settles = payment.settles ?? (await settledBy(tx, { id: payment.organisation_id }, chosen, amount, 'supplier'))
  return { particular, settles, complete: () => Promise.resolve(null) }
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
