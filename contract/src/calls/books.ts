import { z } from 'zod'
import { defineCall } from '../call.ts'
import { BOOKED, BOOKS, isImported } from '../words/books.ts'
import { ENTRY_KINDS, isFinancialYear } from '../words/entry.ts'
import { day, month, name } from './shapes.ts'

const period = z.union([
  month,
  z.string().max(5).refine(isFinancialYear, 'must be a month such as 2026-10, or a financial year such as 26-27'),
])

const ofPeriod = z.strictObject({
  /** A superadmin names it; an admin's is their own. */
  organization: name.optional(),
  /** A month (2026-10), or a financial year, April to March (26-27). */
  period,
})

const statement = z.object({
  organization: z.string(),
  /** The name that documents bear. */
  legalName: z.string(),
  gst: z.string().nullable(),
  /** The first and the last day, both included. */
  from: z.iso.date(),
  to: z.iso.date(),
  /** Paise owed before the first entry and after the last; below zero: paid ahead. */
  openingPaise: z.int(),
  closingPaise: z.int(),
  /** The paise of all entries of each kind. */
  sums: z.object({ invoices: z.int(), creditNotes: z.int(), payments: z.int(), tds: z.int(), refunds: z.int() }),
  entries: z.array(
    z.object({
      date: z.iso.date(),
      particular: z.string(),
      kind: z.enum(ENTRY_KINDS),
      id: z.string(),
      /** By how much it raises what is owed; below zero: lowers. */
      owedPaise: z.int(),
      /** Owed after it. */
      balancePaise: z.int(),
    }),
  ),
})
export type AccountStatement = z.output<typeof statement>

export const books = {
  export: defineCall({
    method: 'POST',
    path: '/admin/ledger/export',
    roles: ['superadmin'],
    summary:
      'The invoices, credit notes, payments or refunds of a period as the CSV that a bookkeeping program imports.',
    body: z
      .strictObject({
        books: z.enum(BOOKS),
        what: z.enum(BOOKED),
        /** The first and the last day, both included. */
        from: day,
        to: day,
        /** Left out: all. */
        organization: name.optional(),
      })
      .refine(({ from, to }) => from <= to, 'Last day must not be before First day.')
      .refine(
        ({ books: program, what }) => isImported(program, what),
        'Zoho Books imports no refunds: they are entered there at the payment.',
      ),
    reply: z.string(),
    file: true,
  }),
  statement: defineCall({
    method: 'GET',
    path: '/admin/ledger/statement',
    roles: ['admin', 'superadmin'],
    summary:
      "An organisation's statement of a month or a financial year: opening and closing balance, and each entry between. 409 where it has more entries than one statement holds.",
    query: ofPeriod,
    reply: statement,
  }),
  statementPdf: defineCall({
    method: 'POST',
    path: '/admin/ledger/statement/pdf',
    roles: ['admin', 'superadmin'],
    summary: 'The same statement as a PDF.',
    body: ofPeriod,
    reply: z.string(),
    file: true,
  }),
}
