import { z } from 'zod'
import { defineCall } from '../call.ts'
import { ALERTS } from '../words/problems.ts'
import { REQUEST_DAYS_MAX, REQUEST_STATES } from '../words/payment-request.ts'
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
    body: z.strictObject({
      amount: paid,
      /** The request that it is paid for: its order, which is made once. */
      request: z.uuid().optional(),
    }),
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
  requests: defineCall({
    method: 'GET',
    path: '/admin/ledger/requests',
    roles: ['admin', 'superadmin'],
    summary: 'The newest 100 amounts that an organisation was asked by mail to pay, and what became of each.',
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({
      requests: z.array(
        z.object({
          id: z.uuid(),
          amountPaise: z.int(),
          about: z.string(),
          state: z.enum(REQUEST_STATES),
          by: z.string(),
          at: instant,
          expiresAt: instant,
          /** null: it is on its way. Empty: there was nobody to mail. */
          to: z.array(z.string()).nullable(),
          /** The number of the payment that paid it. */
          payment: z.string().nullable(),
        }),
      ),
    }),
  }),
  request: defineCall({
    method: 'POST',
    path: '/admin/ledger/requests',
    roles: ['superadmin'],
    summary: 'Asks an organisation for an amount: its billing addresses are mailed a link to pay it.',
    body: z.strictObject({
      organization: name,
      amount: paid,
      /** The reason, as the mail says it. */
      about: name.max(200, 'must be at most 200 characters long'),
      /** Until it expires. */
      days: z.int('must be a whole number').min(1, 'must be 1 to 90').max(REQUEST_DAYS_MAX, 'must be 1 to 90'),
    }),
    reply: message,
    creates: true,
  }),
  cancelRequest: defineCall({
    method: 'POST',
    path: '/admin/ledger/requests/cancel',
    roles: ['superadmin'],
    summary: 'Cancels a request that was not paid. A payment that somebody is at is credited all the same.',
    body: z.strictObject({ id: z.uuid() }),
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
