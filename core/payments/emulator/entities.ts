import { merchant } from './merchant.ts'
import type { Webhooks } from './webhooks.ts'
import type { Order, Payment, Records, Refund } from './records.ts'

const seconds = (instant: number): number => Math.floor(instant / 1000)

function notesOf(text: string): unknown {
  const notes = JSON.parse(text) as object
  return Object.keys(notes).length === 0 ? [] : notes
}

export function orderEntity(records: Records, order: Order) {
  const payments = records.paymentsOf(order.id)
  const paid = payments.filter(({ captured }) => captured === 1).reduce((sum, { amount }) => sum + amount, 0)
  const settled = paid >= order.amount || (paid > 0 && records.isSettled(order.id))
  return {
    id: order.id,
    entity: 'order',
    amount: order.amount,
    amount_paid: paid,
    amount_due: Math.max(0, order.amount - paid),
    currency: order.currency,
    receipt: order.receipt,
    offer_id: null,
    status: settled ? 'paid' : payments.length > 0 ? 'attempted' : 'created',
    attempts: payments.length,
    notes: notesOf(order.notes),
    created_at: seconds(order.created_at),
  }
}

export function paymentEntity(payment: Payment) {
  const failed = payment.status === 'failed'
  return {
    id: payment.id,
    entity: 'payment',
    amount: payment.amount,
    currency: payment.currency,
    status: payment.status,
    order_id: payment.order_id,
    invoice_id: null,
    international: false,
    method: payment.method,
    amount_refunded: payment.amount_refunded,
    refund_status:
      payment.amount_refunded === 0 ? null : payment.amount_refunded === payment.amount ? 'full' : 'partial',
    captured: payment.captured === 1,
    description: null,
    card_id: payment.method === 'card' ? `card_${payment.id.slice(4)}` : null,
    bank: null,
    wallet: null,
    vpa: payment.method === 'upi' ? payment.detail : null,
    email: payment.email,
    contact: payment.contact,
    notes: [],
    fee: payment.captured === 1 ? Math.ceil(payment.amount * 0.0236) : null,
    tax: payment.captured === 1 ? Math.ceil(payment.amount * 0.0036) : null,
    error_code: failed ? 'BAD_REQUEST_ERROR' : null,
    error_description: payment.error,
    error_source: failed ? 'bank' : null,
    error_step: failed ? 'payment_authorization' : null,
    error_reason: failed ? 'payment_failed' : null,
    acquirer_data: {},
    created_at: seconds(payment.created_at),
  }
}

export function refundEntity(refund: Refund) {
  return {
    id: refund.id,
    entity: 'refund',
    amount: refund.amount,
    currency: 'INR',
    payment_id: refund.payment_id,
    notes: notesOf(refund.notes),
    receipt: refund.receipt,
    acquirer_data: { arn: null },
    created_at: seconds(refund.created_at),
    batch_id: null,
    status: refund.status,
    speed_processed: 'normal',
    speed_requested: 'normal',
  }
}

export const collection = (items: readonly object[]) => ({ entity: 'collection', count: items.length, items })

/** Returns the merchant's only webhook in the format of razorpay-node's types. The list is not documented elsewhere. */
export function webhookEntity({ url, active, events }: Webhooks) {
  return {
    id: 'HookEmulated01',
    entity: 'webhook',
    owner_id: merchant.accountId,
    owner_type: 'merchant',
    url,
    active,
    disabled_at: 0,
    secret_exists: true,
    events,
  }
}
