import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { ENTRY_KINDS, TDS_SECTION, tdsOfPayment } from './entry.ts'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { SAC_PATTERN } from './tax-document.ts'
import { normaliseTypedCode, TYPED_CODE_LENGTH } from '@trainyard/platform/contract/words/typed-code.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import {
  day,
  dayOrElse,
  visibleText,
  month,
  name,
  nameOrEmpty,
  positiveRupees,
  organisationName,
} from '@trainyard/platform/contract/shapes.ts'

export const entryDate = dayOrElse(ALERTS.dateRequired)

/** Typed code: separators and the spelling of its characters are ignored. */
export const typedCode = (pattern: RegExp, sentence: string) =>
  z.string().max(TYPED_CODE_LENGTH, sentence).transform(normaliseTypedCode).pipe(z.string().regex(pattern, sentence))

/** Hundredths of a per cent: 18 % is 1800. */
const RATE = 'must be a rate such as 18, and at most 100%'
export const basisPoints = z.int(RATE).min(0, RATE).max(10_000, RATE)

export const sac = typedCode(SAC_PATTERN, 'must be an accounting code of services, such as 998315')

export const section = z
  .string()
  .max(20, 'must be at most 20 characters long')
  .regex(TDS_SECTION, 'must be a section such as 393(1)')

/** Error for a text in the field of an optional amount that is no number. */
const OPTIONAL_AMOUNT = 'Enter rupees, or leave the field empty.'

/** A rule of the ID is checked also if other fields are wrong, so that a form shows all problems at once. */
const ofId = {
  path: ['id'],
  when: ({ value }: { readonly value: unknown }) => z.looseObject({ id: visibleText }).safeParse(value).success,
}

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
        date: entryDate,
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
        tds: z.strictObject({ amount: positiveRupees(ALERTS.amountRequired, OPTIONAL_AMOUNT), section }).optional(),
        /** Tax of an invoice. With it, the GST return and the books contain the invoice. */
        tax: z
          .strictObject({
            /** Rupees before tax. */
            taxable: positiveRupees(ALERTS.amountRequired, OPTIONAL_AMOUNT),
            /** Default: the rate of the supplier settings on the date. */
            basisPoints: basisPoints.optional(),
            /** Default: the accounting code of the supplier settings. */
            sac: sac.optional(),
          })
          .optional(),
      })
      .refine(({ id, type }) => id !== '' || type !== 'invoice', { error: ALERTS.invoiceIdRequired, ...ofId })
      .refine(({ id, type }) => id !== '' || type !== 'payment', { error: ALERTS.paymentIdRequired, ...ofId })
      .refine(({ covers, type }) => covers === undefined || type === 'invoice', 'covers applies to invoices only.')
      .refine(({ settles, type }) => settles === undefined || type === 'payment', 'settles applies to payments only.')
      .refine(({ tax, type }) => tax === undefined || type === 'invoice', 'tax applies to invoices only.')
      .refine(({ tax, id }) => tax === undefined || /^[0-9A-Za-z/-]{1,16}$/.test(id), {
        error:
          'With tax, the invoice ID must be 1 to 16 letters, digits, hyphens and slashes, because the GST return requires it.',
        path: ['id'],
      })
      .refine(({ tds, type }) => tds === undefined || type === 'payment', 'tds applies to payments only.')
      .refine(({ tds, id }) => tds === undefined || id.length <= TAXED_LENGTH, {
        error: `With TDS, id must be at most ${TAXED_LENGTH} characters long.`,
        path: ['id'],
      }),
    once: true,
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

type Ledger = typeof ledger

declare module '@trainyard/platform/contract/contract.ts' {
  interface LedgerCalls extends Ledger {}
  interface Contract {
    ledger: LedgerCalls
  }
}
