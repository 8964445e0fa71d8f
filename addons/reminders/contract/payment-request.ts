import { HOUR, type Limit } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { REQUEST_DAYS_MAX, REQUEST_STATES } from './payment-request-words.ts'
import { instant, name, positiveRupees, reasonOrElse } from '@trainyard/platform/contract/shapes.ts'

const LEAST = 'Enter at least ₹1, with at most two decimals.'
const DAYS = `Enter 1 to ${REQUEST_DAYS_MAX} days.`

const requestLimit: Limit = { name: 'payment-requests', per: 'person', max: 60, seconds: HOUR }

/** Calls of the group `payment`. */
export const paymentRequests = {
  requests: call({
    route: 'GET /admin/ledger/requests',
    for: ['admin', 'superadmin'],
    does: 'Lists the newest 100 payment requests mailed to an organisation, with their states.',
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
          /** null until the mail is sent. Empty if there was no recipient. */
          to: z.array(z.string()).nullable(),
          payment: z.string().nullable(),
        }),
      ),
    }),
  }),
  request: call({
    route: 'POST /admin/ledger/requests',
    for: ['superadmin'],
    does: 'Requests a payment from an organisation: mails a payment link to its billing addresses.',
    audit: 'requested a payment from an organisation',
    limit: requestLimit,
    body: z.strictObject({
      organization: name,
      amount: positiveRupees(LEAST).refine((amount) => amount >= 1, LEAST),
      about: reasonOrElse('Enter what it is for.'),
      days: z.int(DAYS).min(1, DAYS).max(REQUEST_DAYS_MAX, DAYS),
    }),
    once: true,
  }),
  cancelRequest: call({
    route: 'POST /admin/ledger/requests/cancel',
    for: ['superadmin'],
    does: 'Cancels an unpaid payment request. A payment already in progress is still credited.',
    audit: 'cancelled a payment request',
    body: z.strictObject({ id: z.uuid() }),
  }),
}

type PaymentRequests = typeof paymentRequests

declare module '@trainyard/platform/contract/contract.ts' {
  interface PaymentCalls extends PaymentRequests {}
}
