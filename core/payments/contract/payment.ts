import { type Limit, MINUTE } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { REFUND_STATES } from './refund.ts'
import { reasonOrElse, instant, name, positiveRupees } from '@trainyard/platform/contract/shapes.ts'

/** The payment provider repeats refused events later. */
const paymentEvents: Limit = {
  name: 'webhooks',
  per: 'address',
  isFromPrograms: true,
  max: 3_000,
  seconds: MINUTE,
}

const payments: Limit = { name: 'payments', per: 'organisation', max: 60, seconds: MINUTE }

const refunds: Limit = { name: 'refunds', per: 'person', max: 60, seconds: MINUTE }

/** The payment provider's minimum is one rupee. */
export const paymentAmount = positiveRupees(ALERTS.amountInvalid).refine((value) => value >= 1, 'must be at least ₹1')

/** Number of a proforma invoice. */
const proformaNumber = z
  .string()
  .max(20, 'must be the number of a proforma invoice')
  .regex(/^PF-\d{2}-\d{2}-\d{4,}$/, 'must be the number of a proforma invoice')

export const payment = {
  order: call({
    route: 'POST /admin/ledger/order',
    for: ['admin'],
    does: 'Creates an order at the payment provider. `amount` in the reply is in paise, as at the provider. 409 if a proforma invoice cannot be paid, or if the amount is not what is left of it.',
    audit: 'started a payment',
    limit: payments,
    body: z
      .strictObject({
        amount: paymentAmount,
        /** All payers of a request share one order. */
        request: z.uuid().optional(),
        /** Proforma invoice to pay. All of its payers share one order. */
        proforma: proformaNumber.optional(),
        /**
         * Invoice to settle. Null for a payment on account, which settles the oldest invoices first. Default: the only
         * open invoice with this amount.
         */
        invoice: name.nullable().optional(),
        /**
         * Buys prepaid credit instead of settling invoices that are due later: credit of a training, or of the
         * organisation if null.
         */
        prepaid: z.strictObject({ trainingName: name.nullable() }).optional(),
      })
      .refine(
        ({ request, prepaid }) => request === undefined || prepaid === undefined,
        'must not contain both request and prepaid',
      )
      .refine(
        ({ proforma, request, prepaid, invoice }) =>
          proforma === undefined || (request === undefined && prepaid === undefined && invoice === undefined),
        'must contain neither request nor prepaid nor invoice with proforma',
      ),
    reply: z.object({
      order_id: z.string(),
      amount: z.int(),
      keyId: z.string(),
      currency: z.literal('INR'),
      checkoutScript: z.string(),
    }),
    once: true,
  }),
  verify: call({
    route: 'POST /admin/ledger/paymentVerify',
    for: ['admin'],
    does: 'Credits the amount that the provider captured for the order. Repeated calls credit it only once.',
    audit: 'completed a payment',
    limit: payments,
    body: z.strictObject({
      payment_id: z.string().min(1).max(100),
      order_id: z.string().min(1).max(100),
      signature: z.string().min(1).max(200),
      /** In paise. */
      amount: z.int(),
    }),
  }),
  refunds: call({
    route: 'GET /admin/ledger/refunds',
    for: ['superadmin'],
    does: 'Lists the newest 100 online payments of an organisation with their refundable amounts, and its refunds.',
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
          number: z.string().nullable(),
          error: z.string().nullable(),
          by: z.string(),
          at: instant,
        }),
      ),
    }),
  }),
  refund: call({
    route: 'POST /admin/ledger/refunds',
    for: ['superadmin'],
    does: 'Refunds an online payment in full or in part. The total of refunds cannot exceed the payment. A worker sends the refund to the provider.',
    audit: 'requested a refund',
    limit: refunds,
    body: z.strictObject({
      organization: name,
      payment: z.string().min(1).max(100),
      amount: paymentAmount,
      reason: reasonOrElse('Enter a reason.'),
    }),
    once: true,
  }),
  webhook: call({
    route: 'POST /payments/webhook',
    for: 'anyone',
    does: 'Receives payment events from the payment provider, signed over the raw body.',
    audit: 'sent a payment event of the payment provider',
    limit: paymentEvents,
    size: { bytes: 65_536, values: 1_000 },
    urgency: 'vital',
    body: z.string().max(65_536),
    kind: 'signed',
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const paymentActions = {
  'payment.credit': 'credited a payment',
  'payment.refunded': 'refunded a payment, or failed to',
} as const

type Payment = typeof payment

declare module '@trainyard/platform/contract/contract.ts' {
  interface PaymentCalls extends Payment {}
  interface Contract {
    payment: PaymentCalls
  }
}
