import { z } from 'zod'
import { defineCall } from '../call.ts'
import { ENTRY_KINDS, isFinancialYear, TDS_SECTION } from '../words/entry.ts'
import { ALERTS } from '../words/problems.ts'
import { message, month, name, nameOrNothing, sum } from './shapes.ts'

const date = z.iso
  .date({ error: ({ input }) => (input === '' ? ALERTS.dateRequired : 'must be a date such as 2026-01-31') })
  .refine((day) => /^[12]/.test(day), 'must be a date such as 2026-01-31')

/** The value of `earlier` in another answer. */
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
        /** The month whose usage an invoice bills: no invoice of ours charges it once more. */
        covers: month.optional(),
      })
      .refine(({ id, type }) => id !== '' || type !== 'invoice', ALERTS.invoiceIdRequired)
      .refine(({ id, type }) => id !== '' || type !== 'payment', ALERTS.paymentIdRequired)
      .refine(({ covers, type }) => covers === undefined || type === 'invoice', 'covers is for invoices alone.'),
    reply: message,
    creates: true,
  }),
  addTds: defineCall({
    method: 'POST',
    path: '/admin/ledger/tds',
    roles: ['superadmin'],
    summary:
      'Records tax that a customer deducted at source, by its certificate. The same certificate of an organisation twice: 409.',
    body: z.strictObject({
      organization: nameOrNothing.min(1, ALERTS.organisationRequired),
      certificate: name.max(40, 'must be at most 40 characters long'),
      section: z
        .string()
        .max(20, 'must be at most 20 characters long')
        .regex(TDS_SECTION, 'must be a section such as 194J'),
      /** April to March, by the years it begins and ends in. */
      financialYear: z.string().max(5).refine(isFinancialYear, 'must be a financial year such as 26-27'),
      quarter: z.int().min(1, 'must be 1 to 4').max(4, 'must be 1 to 4'),
      amount: sum(ALERTS.amountRequired),
      date,
    }),
    reply: message,
    creates: true,
  }),
  account: defineCall({
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
          kind: z.enum(ENTRY_KINDS),
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
