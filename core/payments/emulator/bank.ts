import { wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import type { Razorpay } from './account.ts'
import { newId } from './ids.ts'
import { orderEntity, paymentEntity, refundEntity } from './entities.ts'
import type { BankAnswer, Order, Payment, Refund } from './records.ts'

/**
 * Each change of a payment stores its webhook events in the same transaction. The webhook sender reads the stored
 * events.
 */

const declined = 'Your payment has been declined by the bank. Try again with another method.'

export function beginPayment(
  razorpay: Razorpay,
  order: Order,
  method: { method: Payment['method']; detail: string; email: string | null; contact: string | null },
): Payment {
  return razorpay.records.addPayment({
    id: newId('pay'),
    order_id: order.id,
    amount: order.amount,
    currency: order.currency,
    status: 'created',
    ...method,
    created_at: wholeSecond(razorpay.clock.now()),
  })
}

export function scheduleAnswer(razorpay: Razorpay, payment: Payment, answer: BankAnswer, afterSeconds: number): void {
  const answers_at = razorpay.clock.now() + afterSeconds * 1000 * razorpay.latency
  razorpay.records.changePayment(payment.id, { answer, answers_at })
  applyDueAnswers(razorpay)
}

/** Applies all bank answers that are due. There are no timers, so this is called before every read. */
export function applyDueAnswers(razorpay: Razorpay): void {
  const due = razorpay.records.withDueAnswer(razorpay.clock.now())
  if (due.length === 0) return
  razorpay.database.transaction(() => {
    for (const payment of due) {
      razorpay.records.changePayment(payment.id, { answer: null, answers_at: null })
      if (payment.answer === 'success') authorise(razorpay, payment.id)
      else fail(razorpay, payment.id)
    }
  })
}

function fail(razorpay: Razorpay, id: string): void {
  const payment = razorpay.records.payment(id)!
  // A payment never returns to an earlier state.
  if (payment.status !== 'created') return
  const failed = razorpay.records.changePayment(id, { status: 'failed', error: declined })
  razorpay.webhooks.record('payment.failed', { payment: paymentEntity(failed) })
}

/**
 * Authorises a payment, also a failed one, because banks may confirm it days later. The payment is refunded if the
 * order is already paid.
 * @param captures false if the merchant must capture the payment
 */
export function authorise(razorpay: Razorpay, id: string, captures = true): void {
  const { records, webhooks } = razorpay
  const payment = records.payment(id)!
  if (payment.status !== 'created' && payment.status !== 'failed') return
  const authorised = records.changePayment(id, { status: 'authorized', error: null })
  webhooks.record('payment.authorized', { payment: paymentEntity(authorised) })
  const paid = records.paymentsOf(payment.order_id).some(({ captured }) => captured === 1)
  if (paid) refund(razorpay, authorised, authorised.amount)
  else if (captures) capture(razorpay, id)
}

export function capture(razorpay: Razorpay, id: string): Payment {
  const { records, webhooks, clock } = razorpay
  const captured = records.changePayment(id, {
    status: 'captured',
    captured: 1,
    captured_at: wholeSecond(clock.now()),
  })
  webhooks.record('payment.captured', { payment: paymentEntity(captured) })
  const order = records.order(captured.order_id)!
  webhooks.record('order.paid', { payment: paymentEntity(captured), order: orderEntity(records, order) })
  return captured
}

/** Refunds an amount. The caller has checked that it is at most the amount not yet refunded. */
export function refund(
  razorpay: Razorpay,
  payment: Payment,
  amount: number,
  options: { readonly receipt?: string | null; readonly notes?: string; readonly pending?: boolean } = {},
): Refund {
  const { records, webhooks, clock } = razorpay
  const created = records.addRefund({
    id: newId('rfnd'),
    payment_id: payment.id,
    amount,
    receipt: options.receipt ?? null,
    notes: options.notes ?? '{}',
    status: options.pending === true ? 'pending' : 'processed',
    created_at: wholeSecond(clock.now()),
  })
  const amount_refunded = payment.amount_refunded + amount
  const status = amount_refunded === payment.amount ? 'refunded' : payment.status
  const changed = records.changePayment(payment.id, { amount_refunded, status })
  const events = created.status === 'processed' ? ['refund.created', 'refund.processed'] : ['refund.created']
  for (const event of events) webhooks.record(event, { refund: refundEntity(created), payment: paymentEntity(changed) })
  return created
}

/** Ends a refund. After a failed refund, the amount can be refunded again. Razorpay does not document this case. */
export function settleRefund({ records, webhooks }: Razorpay, pending: Refund, status: 'processed' | 'failed'): Refund {
  const settled = records.settleRefund(pending.id, status)
  const before = records.payment(settled.payment_id)!
  const payment =
    status === 'processed'
      ? before
      : records.changePayment(before.id, {
          amount_refunded: before.amount_refunded - settled.amount,
          status: 'captured',
        })
  webhooks.record(`refund.${status}`, { refund: refundEntity(settled), payment: paymentEntity(payment) })
  return settled
}
