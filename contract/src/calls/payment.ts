import { z } from 'zod'
import { defineCall } from '../call.ts'
import { ALERTS } from '../words/problems.ts'
import { REFUND_STATES } from '../words/refund.ts'
import { instant, message, name, sum } from './shapes.ts'

/** The amount of one payment: the provider takes no less than a rupee. */
const paid = sum(ALERTS.amountInvalid).refine((value) => value >= 1, 'must be at least ₹1')

export const payment = {
  order: defineCall({
    method: 'POST',
    path: '/admin/ledger/order',
    roles: ['admin'],
    summary: 'Makes an order at the payment provider. `amount` in the reply is in paise, as the provider has it.',
    body: z.strictObject({ amount: paid }),
    reply: z.object({
      order_id: z.string(),
      amount: z.int(),
      keyId: z.string(),
      currency: z.literal('INR'),
      /** Where the provider's checkout script comes from. */
      checkoutScript: z.string(),
    }),
    creates: true,
  }),
  verify: defineCall({
    method: 'POST',
    path: '/admin/ledger/paymentVerify',
    roles: ['admin'],
    summary: 'Credits what the provider captured for the order, once, however often it is sent.',
    body: z.strictObject({
      payment_id: z.string().min(1).max(100),
      order_id: z.string().min(1).max(100),
      signature: z.string().min(1).max(200),
      /** Paise, as the order's reply had it. */
      amount: z.int(),
    }),
    reply: message,
  }),
  refunds: defineCall({
    method: 'GET',
    path: '/admin/ledger/refunds',
    roles: ['superadmin'],
    summary: 'The newest 100 online payments of an organisation, with what can still be paid back, and its refunds.',
    query: z.strictObject({ organization: name }),
    reply: z.object({
      payments: z.array(z.object({ id: z.string(), date: z.string(), amountPaise: z.int(), leftPaise: z.int() })),
      refunds: z.array(
        z.object({
          id: z.string(),
          payment: z.string(),
          amountPaise: z.int(),
          reason: z.string(),
          state: z.enum(REFUND_STATES),
          /** The provider's number of it. */
          number: z.string().nullable(),
          /** The reason it failed, or that it is not through yet. */
          error: z.string().nullable(),
          by: z.string(),
          at: instant,
        }),
      ),
    }),
  }),
  refund: defineCall({
    method: 'POST',
    path: '/admin/ledger/refunds',
    roles: ['superadmin'],
    summary:
      'Pays an online payment back, or part of it: never more in sum than it brought. A worker asks the provider.',
    body: z.strictObject({
      organization: name,
      payment: z.string().min(1).max(100),
      amount: paid,
      reason: name.max(200, 'must be at most 200 characters long'),
    }),
    reply: message,
    creates: true,
  }),
  webhook: defineCall({
    method: 'POST',
    path: '/payments/webhook',
    roles: 'anyone',
    summary: 'Told by the payment provider, signed over the raw body: something happened to a payment of an order.',
    body: z.string().max(100_000),
    reply: message,
    signed: true,
  }),
}
