import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import { mountPaymentPage } from './payment-table.ts'
import type { Part } from '@trainyard/platform/emulator/part.ts'
import { openRazorpay, type Razorpay } from './account.ts'
import { applyDueAnswers } from './bank.ts'
import { mountCheckout } from './checkout/routes.ts'
import { mountPaymentControl } from './control.ts'
import { mountRazorpay, razorpayNotFound } from './mount.ts'

declare module '@trainyard/platform/emulator/part.ts' {
  interface PartOptions {
    /** Address that receives Razorpay's events. Default: the address of the last run; in the first run, there is none. */
    readonly webhookUrl?: string
  }
}

export const paymentPart: Part = {
  name: 'payments',
  mount(emulated) {
    const { server, settings, clock, faults, options } = emulated
    const database = emulated.openRecord('payments.db')
    const razorpay = openRazorpay({ database, settings, clock, faults, latency: options.latency ?? 1 })
    if (options.webhookUrl !== undefined) {
      razorpay.webhooks.url = options.webhookUrl
      razorpay.webhooks.active = true
    }
    mountRazorpay(server, razorpay)
    mountCheckout(server, razorpay)
    mountPaymentControl(server, razorpay)
    mountPaymentPage(emulated, razorpay)
    return {
      truth: { payments: () => recordedPayments(razorpay) },
      longTruth: { webhooks: () => razorpay.webhooks.all() },
      notFound: { path: /^\/v1\/(?!checkout\/)/, answer: (_request, reply) => razorpayNotFound(reply) },
      start: () => razorpay.webhooks.start(() => applyDueAnswers(razorpay)),
      stop: () => razorpay.webhooks.stop(),
    }
  },
}

/** Amounts are paise. */
function recordedPayments(razorpay: Razorpay): unknown[] {
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
    paysOrder: records.isSettled(payment.order_id),
    method: payment.method,
    createdAt: iso(payment.created_at),
    capturedAt: payment.captured_at === null ? null : iso(payment.captured_at),
    refunds: records.refundsOf(payment.id).map(({ id, amount, status }) => ({ id, amount, status })),
  }))
}
