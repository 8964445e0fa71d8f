import { iso } from '#src/clock/clock.ts'
import type { Razorpay } from '#src/razorpay/account.ts'
import { applyDueAnswers } from '#src/razorpay/bank.ts'

/** Returns every payment with its refunds. Amounts are paise. */
export function recordedPayments(razorpay: Razorpay): unknown[] {
  applyDueAnswers(razorpay)
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
