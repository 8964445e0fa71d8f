import { z } from 'zod'
import { defineCall } from '../call.ts'
import { ALERTS } from '../words/problems.ts'
import { message, sum } from './shapes.ts'

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
