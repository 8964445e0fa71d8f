import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { isFinancialYear, REVERSIBLE_KINDS } from '@trainyard/ledger/contract/entry.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { entryDate, section } from '@trainyard/ledger/contract/ledger.ts'
import {
  day,
  reasonOrElse,
  visibleText,
  name,
  nameOrEmpty,
  positiveRupees,
  storedDay,
} from '@trainyard/platform/contract/shapes.ts'

const certificate = visibleText.min(1, 'must not be empty').max(40, 'must be at most 40 characters long')

/** Calls of the group `ledger`. */
export const accounting = {
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
      date: entryDate,
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
      id: nameOrEmpty.min(1, 'Choose the entry to reverse.'),
      reason: reasonOrElse('Enter the reason.'),
      date: entryDate,
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
      invoice: nameOrEmpty.min(1, 'Choose the invoice to write off.'),
      amount: positiveRupees(ALERTS.amountRequired),
      reason: reasonOrElse('Enter the reason.'),
      date: entryDate,
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
}

type Accounting = typeof accounting

declare module '@trainyard/platform/contract/contract.ts' {
  interface LedgerCalls extends Accounting {}
}
