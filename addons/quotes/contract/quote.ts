import * as limits from '@trainyard/platform/contract/limits.ts'
import { HOUR, type Limit } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { QUOTE_STATES } from './quote-words.ts'
import { oneOffLines } from '@trainyard/invoices/contract/invoice.ts'
import {
  day,
  dayOrElse,
  visibleText,
  message,
  name,
  newName,
  positiveRupees,
  selectedOrganisation,
  storedDay,
} from '@trainyard/platform/contract/shapes.ts'

/** Each call mails a document. */
const prepaidInvoices: Limit = { name: 'prepaid-invoices', per: 'organisation', max: 20, seconds: HOUR }

const roles = ['superadmin'] as const
const readers = ['admin', 'superadmin'] as const

const number = z
  .string()
  .max(20, 'must be the number of a quote')
  .regex(/^Q-\d{2}-\d{2}-\d{4,}$/, 'must be the number of a quote')

const offerNumber = z
  .string()
  .max(20, 'must be the number of a quote or proforma invoice')
  .regex(/^(Q|PF)-\d{2}-\d{2}-\d{4,}$/, 'must be the number of a quote or proforma invoice')

const remark = newName.max(200, 'must be at most 200 characters long')

const quoteRef = z.strictObject({ number })

const listed = z.object({
  number: z.string(),
  organization: z.string(),
  /** In the supplier's zone, like all days of quotes. */
  date: storedDay,
  validUntil: storedDay,
  state: z.enum(QUOTE_STATES),
  /** True after the last day of an open quote, or of an unpaid proforma invoice for prepaid credit. */
  expired: z.boolean(),
  lines: z.array(
    z.object({
      description: z.string(),
      sac: z.string().optional(),
      /** Rupees before discount and tax. */
      amount: z.number(),
      discount: z.number().optional(),
    }),
  ),
  totalPaise: z.int(),
  by: z.string(),
  decidedBy: z.string().nullable(),
  answer: z.string().nullable(),
  proforma: z.object({ number: z.string(), date: storedDay, totalPaise: z.int() }).nullable(),
  /** Payments for the proforma invoice, without reversed ones. */
  payments: z.array(z.object({ id: z.string(), date: storedDay, amountPaise: z.int() })),
  invoice: z.string().nullable(),
  /**
   * Set if payments become prepaid credit, of a training or, without one, of the organisation. No tax invoice is issued
   * then.
   */
  prepaid: z.object({ trainingName: z.string().nullable() }).nullable(),
})
export type ListedQuote = z.output<typeof listed>

export const quote = {
  list: call({
    route: 'GET /admin/quotes',
    for: readers,
    does: 'Lists the newest 500 quotes of an organisation, for superadmins without `organization` those of all. Amounts are those on the day of the quote.',
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({ today: storedDay, quotes: z.array(listed) }),
  }),
  create: call({
    route: 'POST /admin/quotes',
    for: roles,
    does: 'Writes a quote for an organisation and mails it as PDF to the recipients of its invoices. It is valid until the end of a day in the zone of the supplier. 409 if settings are missing.',
    audit: 'created a quote',
    body: z.strictObject({ organization: selectedOrganisation, lines: oneOffLines, validUntil: day }),
    reply: message.extend({ number: z.string() }),
    once: true,
  }),
  decide: call({
    route: 'POST /admin/quotes/decide',
    for: readers,
    does: "Accepts or declines an open quote. An admin decides for the own organisation; a superadmin records the customer's decision. 409 if the quote has expired or was already decided.",
    audit: 'answered a quote',
    body: z.strictObject({
      number,
      decision: z.enum(['accepted', 'declined']),
      /** Reason, or how the customer decided. */
      answer: remark.optional(),
    }),
  }),
  withdraw: call({
    route: 'POST /admin/quotes/withdraw',
    for: roles,
    does: 'Withdraws a quote that is not declined, or its proforma invoice without payments.',
    audit: 'withdrew a quote',
    body: quoteRef,
  }),
  proforma: call({
    route: 'POST /admin/quotes/proforma',
    for: roles,
    does: 'Makes the proforma invoice of an accepted quote, with the tax of the day, and mails it. It is not a tax invoice and has no number of their series.',
    audit: 'created a proforma invoice from a quote',
    body: quoteRef,
    reply: message.extend({ proforma: z.string() }),
  }),
  prepaid: call({
    route: 'POST /admin/quotes/prepaid',
    for: readers,
    does: 'Makes a proforma invoice for prepaid credit of an organisation or a training, with the tax of the day, and mails it. Its payments become credit. 409 if settings are missing, if too many such invoices are unpaid.',
    audit: 'created a proforma invoice for prepaid credit',
    limit: prepaidInvoices,
    body: z.strictObject({
      organization: name.optional(),
      trainingName: name.optional(),
      /** Credit in rupees, before tax. */
      amount: positiveRupees(ALERTS.amountRequired),
    }),
    reply: message.extend({ number: z.string(), proforma: z.string() }),
    once: true,
  }),
  pay: call({
    route: 'POST /admin/quotes/payments',
    for: roles,
    does: 'Records a payment for a proforma invoice, or, without amount and date, assigns a payment on account to it. It settles the invoice that is issued for the proforma invoice, or becomes the prepaid credit that it is for.',
    audit: 'recorded a payment for a proforma invoice',
    body: z
      .strictObject({
        number,
        id: visibleText.min(1, 'Enter the ID of the payment.').max(100, 'must be at most 100 characters long'),
        amount: positiveRupees('must be more than zero').optional(),
        date: dayOrElse(ALERTS.dateRequired).optional(),
      })
      .refine(({ amount, date }) => (amount === undefined) === (date === undefined), 'amount and date belong together'),
    once: true,
  }),
  issue: call({
    route: 'POST /admin/quotes/invoice',
    for: roles,
    does: 'Issues the tax invoice of a proforma invoice with its lines, at the rate and tax status of the day. The digest is that of the draft of a one-off invoice with these lines. 409 if it has changed or was issued before.',
    audit: 'issued the invoice of a proforma invoice',
    body: quoteRef.extend({ digest: z.string().max(64) }),
    reply: message.extend({ invoice: z.string() }),
  }),
  pdf: call({
    route: 'POST /admin/quotes/pdf',
    for: readers,
    does: 'Returns a quote or a proforma invoice as PDF.',
    audit: 'saved a quote or proforma invoice as PDF',
    limit: limits.documents,
    body: z.strictObject({ number: offerNumber }),
    reply: z.string(),
    kind: 'file',
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    quote: typeof quote
  }
}
