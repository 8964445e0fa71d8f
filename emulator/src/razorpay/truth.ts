import { iso } from '#src/clock/clock.ts'
import type { Razorpay } from '#src/razorpay/account.ts'
import { settle } from '#src/razorpay/bank.ts'

/** Every payment there ever was, with what was paid back of it; amounts in paise. */
export function paymentsInTruth(razorpay: Razorpay): unknown[] {
  settle(razorpay)
  const { records } = razorpay
  return records.allPayments().map((payment) => ({
    id: payment.id,
    orderId: payment.order_id,
    receipt: records.order(payment.order_id)?.receipt ?? null,
    amount: payment.amount,
    currency: payment.currency,
    status: payment.status,
    captured: payment.captured === 1,
    method: payment.method,
    createdAt: iso(payment.created_at),
    capturedAt: payment.captured_at === null ? null : iso(payment.captured_at),
    refunds: records.refundsOf(payment.id).map(({ id, amount, status }) => ({ id, amount, status })),
  }))
}
