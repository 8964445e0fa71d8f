import { z } from 'zod'
import { defineCall } from '../call.ts'
import { AMOUNT_RUPEES_MAX } from '../words/limits.ts'
import { ALERTS } from '../words/problems.ts'
import { message, name, nameOrNothing, rupees } from './shapes.ts'

/** What somebody pays or is billed: more than zero, else `sentence`, and within what a ledger in paise adds up exactly. */
const sum = (sentence: string) =>
  rupees
    .refine((value) => value > 0, sentence)
    .refine((value) => value <= AMOUNT_RUPEES_MAX, 'must be at most ₹1,00,00,00,000')

const date = z.iso
  .date({ error: ({ input }) => (input === '' ? ALERTS.dateRequired : 'must be a date such as 2026-01-31') })
  .refine((day) => /^[12]/.test(day), 'must be a date such as 2026-01-31')

/** What `earlier` of another answer said. */
const mark = z
  .string()
  .max(40)
  .refine(
    (text) => /^[12].{9}\.\d{1,15}$/.test(text) && z.iso.date().safeParse(text.slice(0, 10)).success,
    'must be what an earlier answer gave',
  )

export const ledger = {
  summary: defineCall({
    method: 'GET',
    path: '/admin/ledger',
    roles: ['superadmin'],
    summary:
      'What each organisation was billed, has paid and owes (rupees), by balance descending, read in one snapshot.',
    reply: z.object({
      totalInvoice: z.number(),
      totalPayment: z.number(),
      totalBalance: z.number(),
      ledger: z.array(
        z.object({
          /** The legal name, where one is known; the organisation's otherwise. */
          name: z.string(),
          organization: z.string(),
          invoice: z.number(),
          payment: z.number(),
          balance: z.number(),
        }),
      ),
    }),
  }),
  add: defineCall({
    method: 'POST',
    path: '/admin/ledger/addTransaction',
    roles: ['superadmin'],
    summary: 'Adds an invoice or a payment made elsewhere. The same organisation, type and id twice: 409.',
    body: z
      .strictObject({
        organization: nameOrNothing.min(1, ALERTS.organisationRequired),
        id: nameOrNothing,
        amount: sum(ALERTS.amountRequired),
        date,
        type: z.enum(['invoice', 'payment']),
      })
      .refine(({ id, type }) => id !== '' || type !== 'invoice', ALERTS.invoiceIdRequired)
      .refine(({ id, type }) => id !== '' || type !== 'payment', ALERTS.paymentIdRequired),
    reply: message,
    creates: true,
  }),
}

export const account = {
  read: defineCall({
    method: 'GET',
    path: '/admin/ledger/accounts',
    roles: ['admin', 'superadmin'],
    summary:
      "An organisation's account: its newest entries, oldest first. An admin's own; a superadmin names the organisation. Balance: rupees owed.",
    query: z.strictObject({
      organization: name.optional(),
      /** The entries before those of another answer. */
      before: mark.optional(),
    }),
    reply: z.object({
      legal: z.object({
        name: z.string(),
        gst: z.string().nullable(),
        balance: z.number(),
        /** Rupees that may be owed. */
        limit: z.number(),
      }),
      /** Rupees owed before the first of these entries: where a running balance begins. */
      opening: z.number(),
      /** Entries by date, those of one date as they were added; at most 500. */
      transactions: z.array(
        z.object({
          date: z.string(),
          particular: z.string(),
          /** Rupees; null on a payment's line. */
          invoice: z.number().nullable(),
          /** Rupees, below zero for money paid back; null on an invoice's line. */
          payment: z.number().nullable(),
          id: z.string(),
        }),
      ),
      /** Asks, as `before`, for the entries before these; null when there are none. */
      earlier: z.string().nullable(),
    }),
  }),
}

/** What one pays at once: the provider takes no less than a rupee. */
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
