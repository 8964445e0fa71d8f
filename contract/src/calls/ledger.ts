import { z } from 'zod'
import { call } from '../call.ts'
import { ENTRY_KINDS, isFinancialYear, REVERSIBLE_KINDS, TDS_SECTION, tdsOfPayment } from '../words/entry.ts'
import { NAME_LENGTH } from '../words/limits.ts'
import { ALERTS } from '../words/problems.ts'
import {
  day,
  dayOrElse,
  visibleText,
  month,
  name,
  nameOrEmpty,
  newName,
  positiveRupees,
  storedDay,
  organisationName,
} from './shapes.ts'
import { basisPoints, sac } from './supplier.ts'

const date = dayOrElse(ALERTS.dateRequired)

const section = z
  .string()
  .max(20, 'must be at most 20 characters long')
  .regex(TDS_SECTION, 'must be a section such as 393(1)')

const certificate = visibleText.min(1, 'must not be empty').max(40, 'must be at most 40 characters long')

/** Maximum length of the number of a payment that is recorded with TDS. */
const TAXED_LENGTH = NAME_LENGTH - tdsOfPayment('').length

const cursor = z
  .string()
  .max(40)
  .refine(
    (text) => /^.{10}\.\d{1,15}$/.test(text) && day.safeParse(text.slice(0, 10)).success,
    'must be a cursor from an earlier reply',
  )
  .meta({ examples: ['2026-11-25.4711'] })

export const ledger = {
  summary: call({
    route: 'GET /admin/ledger',
    for: ['superadmin'],
    does: 'Returns the invoiced amount, payments and balance of each organisation in rupees, sorted by balance descending, from one snapshot.',
    reply: z.object({
      totalInvoice: z.number(),
      totalPayment: z.number(),
      totalBalance: z.number(),
      ledger: z.array(
        z.object({
          /** Legal name if known, otherwise the organisation's name. */
          name: z.string(),
          organization: z.string(),
          invoice: z.number(),
          payment: z.number(),
          balance: z.number(),
        }),
      ),
    }),
  }),
  add: call({
    route: 'POST /admin/ledger/addTransaction',
    for: ['superadmin'],
    does: 'Adds an invoice or a payment made outside the portal. 409 if the organisation already has this type and id.',
    audit: 'added an invoice or a payment',
    body: z
      .strictObject({
        organization: nameOrEmpty.min(1, ALERTS.organisationRequired),
        id: visibleText,
        amount: positiveRupees(ALERTS.amountRequired),
        date,
        type: z.enum(['invoice', 'payment']),
        /** The portal will not invoice this month's usage again. */
        covers: month.optional(),
        /**
         * Invoice that a payment settles. Null for a payment on account, which settles the oldest invoices first.
         * Default: the only open invoice with this amount.
         */
        settles: name.nullable().optional(),
        /**
         * Tax that the payer deducted (TDS), in addition to the amount. The certificate of the tax can be recorded
         * later.
         */
        tds: z.strictObject({ amount: positiveRupees(ALERTS.amountRequired), section }).optional(),
        /** Tax of an invoice. With it, the GST return and the books contain the invoice. */
        tax: z
          .strictObject({
            /** Rupees before tax. */
            taxable: positiveRupees(ALERTS.amountRequired),
            /** Default: the rate of the supplier settings on the date. */
            basisPoints: basisPoints.optional(),
            /** Default: the accounting code of the supplier settings. */
            sac: sac.optional(),
          })
          .optional(),
      })
      .refine(({ id, type }) => id !== '' || type !== 'invoice', ALERTS.invoiceIdRequired)
      .refine(({ id, type }) => id !== '' || type !== 'payment', ALERTS.paymentIdRequired)
      .refine(({ covers, type }) => covers === undefined || type === 'invoice', 'covers applies to invoices only.')
      .refine(({ settles, type }) => settles === undefined || type === 'payment', 'settles applies to payments only.')
      .refine(({ tax, type }) => tax === undefined || type === 'invoice', 'tax applies to invoices only.')
      .refine(
        ({ tax, id }) => tax === undefined || /^[0-9A-Za-z/-]{1,16}$/.test(id),
        'With tax, the invoice ID must be 1 to 16 letters, digits, hyphens and slashes, because the GST return requires it.',
      )
      .refine(({ tds, type }) => tds === undefined || type === 'payment', 'tds applies to payments only.')
      .refine(
        ({ tds, id }) => tds === undefined || id.length <= TAXED_LENGTH,
        `With TDS, id must be at most ${TAXED_LENGTH} characters long.`,
      ),
    once: true,
  }),
  addTds: call({
    route: 'POST /admin/ledger/tds',
    for: ['superadmin'],
    does: 'Records tax that a customer deducted at source (TDS), by its certificate. 409 if the certificate is already recorded for the organisation.',
    audit: 'recorded tax deducted at source',
    body: z.strictObject({
      organization: nameOrEmpty.min(1, ALERTS.organisationRequired),
      certificate,
      section,
      /** First and last calendar year of a financial year, April to March. */
      financialYear: z.string().max(5).refine(isFinancialYear, 'must be a financial year such as 26-27'),
      quarter: z.int().min(1, 'must be 1 to 4').max(4, 'must be 1 to 4'),
      amount: positiveRupees(ALERTS.amountRequired),
      date,
      /**
       * Invoice from whose payment the tax was deducted. Null settles the oldest invoices first. Default: the only open
       * invoice with this amount.
       */
      settles: name.nullable().optional(),
    }),
    once: true,
  }),
  tdsReceipts: call({
    route: 'GET /admin/ledger/tds/receipts',
    for: ['superadmin'],
    does: 'Lists the tax deductions that were recorded with a payment and are not reversed, newest first, at most 500, with their certificates.',
    query: z.strictObject({ organization: name }),
    reply: z.object({
      receipts: z.array(
        z.object({
          id: z.string(),
          payment: z.string(),
          date: storedDay,
          section: z.string(),
          amountPaise: z.int(),
          certificate: z.string().nullable(),
        }),
      ),
    }),
  }),
  certifyTds: call({
    route: 'POST /admin/ledger/tds/certificate',
    for: ['superadmin'],
    does: 'Records the certificate of tax deductions that were recorded with their payments, instead of an earlier one. 409 if the certificate has its own entry.',
    audit: 'recorded the certificate of tax deducted at source',
    size: 'document',
    body: z.strictObject({
      organization: nameOrEmpty.min(1, ALERTS.organisationRequired),
      certificate,
      receipts: z
        .array(name)
        .min(1, 'must name a deduction')
        .max(500)
        .refine((ids) => new Set(ids).size === ids.length, 'must name each deduction once'),
    }),
  }),
  reverse: call({
    route: 'POST /admin/ledger/reverse',
    for: ['superadmin'],
    does: 'Reverses a manually entered invoice, payment or TDS certificate with a reversal entry. 409 if the entry was issued by the portal, paid online or already reversed.',
    audit: 'reversed a ledger entry',
    body: z.strictObject({
      organization: nameOrEmpty.min(1, ALERTS.organisationRequired),
      kind: z.enum(REVERSIBLE_KINDS),
      id: name,
      reason: newName.max(200, 'must be at most 200 characters long'),
      date,
    }),
    once: true,
  }),
  writeOff: call({
    route: 'POST /admin/ledger/writeOff',
    for: ['superadmin'],
    does: 'Writes off an amount of an invoice, at most what is open.',
    audit: 'wrote off an amount of an invoice',
    body: z.strictObject({
      organization: nameOrEmpty.min(1, ALERTS.organisationRequired),
      invoice: name,
      amount: positiveRupees(ALERTS.amountRequired),
      reason: newName.max(200, 'must be at most 200 characters long'),
      date,
    }),
    once: true,
  }),
  reversible: call({
    route: 'GET /admin/ledger/reversible',
    for: ['superadmin'],
    does: 'Lists the manually entered ledger entries of an organisation that are not reversed, newest first, at most 500.',
    query: z.strictObject({ organization: name }),
    reply: z.object({
      entries: z.array(
        z.object({ kind: z.enum(REVERSIBLE_KINDS), id: z.string(), date: storedDay, amountPaise: z.int() }),
      ),
    }),
  }),
  trialBalance: call({
    route: 'GET /admin/ledger/trial-balance',
    for: ['superadmin'],
    does: 'Returns the balances of all accounts at the end of a day, by the dates of the entries. Debits equal credits.',
    query: z.strictObject({ on: day }),
    reply: z.object({
      on: storedDay,
      accounts: z.array(z.object({ account: z.string(), debitPaise: z.int(), creditPaise: z.int() })),
      debitPaise: z.int(),
      creditPaise: z.int(),
    }),
  }),
  ageing: call({
    route: 'GET /admin/ledger/ageing',
    for: ['superadmin'],
    does: 'Returns the open amounts of invoices per organisation by days since they were due, largest total first.',
    reply: z.object({
      rows: z.array(
        z.object({
          organization: z.string(),
          notDuePaise: z.int(),
          /** Amount that is 1 to 30 days overdue. */
          to30Paise: z.int(),
          to60Paise: z.int(),
          to90Paise: z.int(),
          over90Paise: z.int(),
          totalPaise: z.int(),
        }),
      ),
    }),
  }),
  open: call({
    route: 'GET /admin/ledger/open',
    for: ['admin', 'superadmin'],
    does: "Lists an organisation's invoices that are not settled, oldest first, with their open amounts.",
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({
      invoices: z.array(
        z.object({
          invoice: z.string(),
          date: storedDay,
          dueOn: storedDay,
          amountPaise: z.int(),
          openPaise: z.int(),
          /**
           * True while the customer has not received the document, because its e-invoice registration is not recorded.
           */
          withheld: z.boolean(),
        }),
      ),
    }),
  }),
  account: call({
    route: 'GET /admin/ledger/accounts',
    for: ['admin', 'superadmin'],
    public: { scope: 'ledger:read', operation: 'getAccount' },
    does: "Returns an organisation's account with its newest entries in chronological order. The balance is in rupees owed. Superadmins must give the organisation.",
    query: z.strictObject({
      organization: organisationName.optional(),
      before: cursor.optional(),
    }),
    reply: z.object({
      legal: z.object({
        name: z.string().meta({ examples: ['Acme Learning Private Limited'] }),
        gst: z
          .string()
          .nullable()
          .meta({ examples: ['29AAACA1234F1Z5'] }),
        balance: z.number().meta({ examples: [2_195.89] }),
        limit: z.number().meta({ examples: [50_000] }),
      }),
      opening: z.number().meta({ examples: [0] }),
      /** Entries by date, in the order of addition within a day; at most 500. */
      transactions: z.array(
        z.object({
          date: z.string().meta({ examples: ['2026-12-01'] }),
          particular: z.string().meta({ examples: ['Invoice INV/26-27/0042'] }),
          kind: z.enum(ENTRY_KINDS),
          /** In rupees; negative for a credit note, a write-off or a reversal; null if `payment` is not. */
          invoice: z
            .number()
            .nullable()
            .meta({ examples: [2_195.89] }),
          /** Payments and TDS in rupees; negative for a refund or a reversal; null if `invoice` is not. */
          payment: z.number().nullable(),
          id: z.string().meta({ examples: ['INV/26-27/0042'] }),
        }),
      ),
      earlier: z.string().nullable(),
    }),
  }),
}

declare module '../contract.ts' {
  interface Contract {
    ledger: typeof ledger
  }
}
