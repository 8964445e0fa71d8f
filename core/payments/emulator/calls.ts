import { z } from 'zod'
import { wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import type { Razorpay } from './account.ts'
import { capture, refund } from './bank.ts'
import { collection, orderEntity, paymentEntity, refundEntity, webhookEntity } from './entities.ts'
import { newId } from './ids.ts'
import type { Order, Payment, Refund } from './records.ts'
import { reconReport } from './settlements.ts'
import { noSuchId, RazorpayRefusal, invalidField } from './refusal.ts'

interface CallInput {
  readonly id: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly header: (name: string) => string | undefined
}

export interface RazorpayCall {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  answer(razorpay: Razorpay, call: CallInput): object
}

const minAmount = 100
/** Five lakh rupees in paise, the limit for merchants without a special agreement. */
const maxAmount = 50_000_000

export const razorpayCalls: readonly RazorpayCall[] = [
  { name: 'Orders_Create', method: 'POST', path: '/v1/orders', answer: createOrder },
  {
    name: 'Orders_List',
    method: 'GET',
    path: '/v1/orders',
    answer({ records }, { query }) {
      const count = parseCount(query['count'], 10)
      const orders = records.orders(query['receipt'], Math.min(count, 100), parseCount(query['skip'], 0))
      return collection(orders.map((order) => orderEntity(records, order)))
    },
  },
  {
    name: 'Orders_Fetch',
    method: 'GET',
    path: '/v1/orders/:id',
    answer: ({ records }, { id }) => orderEntity(records, orderOf(records.order(id))),
  },
  {
    name: 'Orders_FetchPayments',
    method: 'GET',
    path: '/v1/orders/:id/payments',
    answer: ({ records }, { id }) => collection(records.paymentsOf(orderOf(records.order(id)).id).map(paymentEntity)),
  },
  {
    name: 'Payments_Fetch',
    method: 'GET',
    path: '/v1/payments/:id',
    answer: ({ records }, { id }) => paymentEntity(paymentOf(records.payment(id))),
  },
  {
    name: 'Payments_Capture',
    method: 'POST',
    path: '/v1/payments/:id/capture',
    answer(razorpay, { id, body }) {
      const payment = paymentOf(razorpay.records.payment(id))
      const { amount, currency } = read(z.strictObject({ amount: z.int(), currency: z.string().default('INR') }), body)
      if (payment.captured === 1) throw new RazorpayRefusal(400, 'This payment has already been captured')
      if (payment.status !== 'authorized') {
        throw new RazorpayRefusal(400, 'Only payments which have been authorized and not yet captured can be captured')
      }
      if (amount !== payment.amount || currency !== payment.currency) {
        throw invalidField('amount', 'Capture amount must be equal to the amount authorized')
      }
      return paymentEntity(capture(razorpay, id))
    },
  },
  {
    name: 'Payments_Refund',
    method: 'POST',
    path: '/v1/payments/:id/refund',
    answer: refundOnce,
  },
  {
    name: 'Payments_FetchRefunds',
    method: 'GET',
    path: '/v1/payments/:id/refunds',
    answer: ({ records }, { id }) => collection(records.refundsOf(paymentOf(records.payment(id)).id).map(refundEntity)),
  },
  {
    name: 'Refunds_Fetch',
    method: 'GET',
    path: '/v1/refunds/:id',
    answer({ records }, { id }) {
      const found = records.refund(id)
      if (found === undefined) throw noSuchId()
      return refundEntity(found)
    },
  },
  {
    name: 'Settlements_Recon',
    method: 'GET',
    path: '/v1/settlements/recon/combined',
    answer: (razorpay, { query }) => reconReport(razorpay, query),
  },
  {
    name: 'Webhooks_FetchAll',
    method: 'GET',
    path: '/v1/webhooks',
    answer: ({ webhooks }) => collection(webhooks.url === '' ? [] : [webhookEntity(webhooks)]),
  },
]

/** Up to 15 pairs with at most 256 characters each, as documented. The refusals' messages are not documented. */
const notesShape = z
  .record(
    z.string(),
    z.union([z.string().max(256, 'The notes may not be greater than 256 characters each.'), z.number()]),
  )
  .refine((notes) => Object.keys(notes).length <= 15, 'The notes may not have more than 15 pairs.')
  .nullish()

const newOrder = z.strictObject({
  amount: z.int('The amount must be an integer.'),
  currency: z.string(),
  receipt: z.string().max(40, 'The receipt may not be greater than 40 characters.').nullish(),
  notes: notesShape,
  partial_payment: z.literal(false).optional(),
})

const newRefund = z.strictObject({
  amount: z.int().optional(),
  speed: z.literal('normal').optional(),
  receipt: z.string().nullish(),
  notes: notesShape,
})

function createOrder({ records, clock }: Razorpay, { body }: CallInput): object {
  const { amount, currency, receipt, notes } = read(newOrder, body)
  if (amount < minAmount) throw invalidField('amount', 'Order amount less than minimum amount allowed')
  if (amount > maxAmount) throw invalidField('amount', 'Amount exceeds maximum amount allowed.')
  if (currency !== 'INR') throw invalidField('currency', 'Currency is not supported')
  const order: Order = {
    id: newId('order'),
    amount,
    currency,
    receipt: receipt ?? null,
    notes: JSON.stringify(notes ?? {}),
    created_at: wholeSecond(clock.now()),
  }
  records.addOrder(order)
  return orderEntity(records, order)
}

/**
 * Creates a refund, once per idempotency key (razorpay.com/docs/api/refunds/normal-refunds-idempotent). Razorpay does
 * not document for how long keys are stored, nor if a refused request uses up its key. Here keys are stored forever,
 * and only accepted requests use them up.
 */
function refundOnce(razorpay: Razorpay, { id, body, header }: CallInput): object {
  const { records } = razorpay
  const key = header('x-refund-idempotency')
  if (key !== undefined && !/^[0-9A-Za-z_-]{10,}$/.test(key)) {
    throw new RazorpayRefusal(400, 'The idempotency key is not valid.', { reason: 'NA' })
  }
  const fingerprint = JSON.stringify([id, body ?? {}])
  const before = key === undefined ? undefined : records.refundByKey(key)
  if (before !== undefined && before.asked !== fingerprint) {
    const conflictMessage = 'Different request with the same idempotency key has already been processed.'
    throw new RazorpayRefusal(400, conflictMessage, { reason: 'NA' })
  }
  if (before !== undefined) return refundEntity(records.refund(before.refund_id)!)
  const created = newRefundOf(razorpay, paymentOf(records.payment(id)), body)
  if (key !== undefined) records.addRefundKey(key, fingerprint, created.id)
  return refundEntity(created)
}

function newRefundOf(razorpay: Razorpay, payment: Payment, body: unknown): Refund {
  const { amount = payment.amount - payment.amount_refunded, receipt, notes } = read(newRefund, body ?? {})
  if (payment.captured !== 1) {
    throw new RazorpayRefusal(400, 'The payment must be captured in order to be refunded')
  }
  if (payment.status === 'refunded') throw new RazorpayRefusal(400, 'The payment has been fully refunded already')
  if (amount < minAmount) throw invalidField('amount', 'The amount must be atleast INR 1.00')
  if (amount > payment.amount - payment.amount_refunded) {
    throw invalidField('amount', 'The refund amount provided is greater than amount captured')
  }
  const pending = razorpay.areRefundsDelayed()
  return refund(razorpay, payment, amount, { receipt: receipt ?? null, notes: JSON.stringify(notes ?? {}), pending })
}

function read<T>(shape: z.ZodType<T>, body: unknown): T {
  const result = shape.safeParse(body)
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  if (issue.code === 'unrecognized_keys') {
    // Message quoted in razorpay-php#106.
    throw invalidField(issue.keys[0]!, `${issue.keys.join(', ')} is/are not required and should not be sent`)
  }
  const field = String(issue.path[0] ?? '')
  throw invalidField(field, messageOf(issue) ?? `The ${field || 'request'} field is invalid.`)
}

function messageOf(issue: z.core.$ZodIssue): string | undefined {
  if (issue.message.startsWith('The ')) return issue.message
  const issues = issue.code === 'invalid_union' ? issue.errors.flat() : []
  return issues.map(messageOf).find((message) => message !== undefined)
}

function orderOf(order: Order | undefined): Order {
  if (order === undefined) throw noSuchId()
  return order
}

function paymentOf(payment: Payment | undefined): Payment {
  if (payment === undefined) throw noSuchId()
  return payment
}

const parseCount = (text: string | undefined, defaultValue: number): number =>
  /^\d{1,6}$/.test(text ?? '') ? Number(text) : defaultValue
