import * as limits from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { EXPORT_PARTS, BOOKKEEPING_PROGRAMS, canImport } from './books-words.ts'
import { ENTRY_KINDS, isFinancialYear } from '@trainyard/ledger/contract/entry.ts'
import { day, month, name, storedDay } from '@trainyard/platform/contract/shapes.ts'

const period = z.union([
  month,
  z.string().max(5).refine(isFinancialYear, 'must be a month such as 2026-10, or a financial year such as 26-27'),
])

const statementQuery = z.strictObject({
  /** Required for superadmins. An admin's own organisation is used by default. */
  organization: name.optional(),
  /** Month (2026-10) or financial year, April to March (26-27). */
  period,
})

const statement = z.object({
  organization: z.string(),
  legalName: z.string(),
  gst: z.string().nullable(),
  from: storedDay,
  to: storedDay,
  /** Paise owed before the first and after the last entry; negative if paid in advance. */
  openingPaise: z.int(),
  closingPaise: z.int(),
  sums: z.object({
    invoices: z.int(),
    creditNotes: z.int(),
    payments: z.int(),
    tds: z.int(),
    refunds: z.int(),
    reversals: z.int(),
    writeOffs: z.int(),
  }),
  entries: z.array(
    z.object({
      date: storedDay,
      particular: z.string(),
      kind: z.enum(ENTRY_KINDS),
      id: z.string(),
      owedPaise: z.int(),
      balancePaise: z.int(),
    }),
  ),
})
export type AccountStatement = z.output<typeof statement>

export const books = {
  export: call({
    route: 'POST /admin/ledger/export',
    for: ['superadmin'],
    does: 'Exports the entries of a period for a bookkeeping program, as XML for TallyPrime, or as CSV for TallyPrime or Zoho Books.',
    audit: 'exported entries for bookkeeping',
    limit: limits.exports,
    body: z
      .strictObject({
        books: z.enum(BOOKKEEPING_PROGRAMS),
        what: z.enum(EXPORT_PARTS),
        from: day,
        to: day,
        organization: name.optional(),
      })
      .refine(({ from, to }) => from <= to, { error: 'Choose a day that is not before the first day.', path: ['to'] })
      .refine(
        ({ books: program, what }) => what !== 'all entries' || canImport(program, what),
        'Only the XML for TallyPrime has all entries in one file.',
      )
      .refine(
        ({ what, organization }) => what !== 'settlements' || organization === undefined,
        'Settlements do not belong to a single organisation. Export them for all organisations.',
      )
      .refine(
        ({ books: program, what }) => what !== 'refunds' || canImport(program, what),
        'Zoho Books cannot import refunds. Enter them in Zoho Books, on the payment.',
      )
      .refine(
        ({ books: program, what }) => what !== 'corrections' || canImport(program, what),
        'Zoho Books cannot import corrections. Enter them in Zoho Books, as journals.',
      ),
    reply: z.string(),
    kind: 'file',
  }),
  statement: call({
    route: 'GET /admin/ledger/statement',
    for: ['admin', 'superadmin'],
    does: "Returns an organisation's statement for a month or a financial year, with opening and closing balance and the entries between them. 409 if there are too many entries for one statement.",
    query: statementQuery,
    reply: statement,
  }),
  statementPdf: call({
    route: 'POST /admin/ledger/statement/pdf',
    for: ['admin', 'superadmin'],
    does: "Returns an organisation's statement for a month or a financial year as a PDF.",
    audit: 'saved a statement as PDF',
    limit: limits.documents,
    body: statementQuery,
    reply: z.string(),
    kind: 'file',
  }),
  receiptPdf: call({
    route: 'POST /admin/ledger/receipt/pdf',
    for: ['admin', 'superadmin'],
    does: 'Returns the receipt of a payment as a PDF. 404 if there is none, or if it was reversed.',
    audit: 'saved a receipt as PDF',
    limit: limits.documents,
    body: z.strictObject({ organization: name.optional(), id: name }),
    reply: z.string(),
    kind: 'file',
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    books: typeof books
  }
}
