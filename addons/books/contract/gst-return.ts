import * as limits from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { GSTR_1_TABLES, type Gstr1Table } from './gst-return-words.ts'
import { month, storedDay, taxAmounts } from '@trainyard/platform/contract/shapes.ts'

const roles = ['superadmin'] as const
const ofMonth = z.strictObject({ month })

export const gstReturn = {
  read: call({
    route: 'GET /admin/gstr-1',
    for: roles,
    does: 'Returns the totals of the tables of GSTR-1 for a month, compared with the ledger, and the entries that explain the differences.',
    query: ofMonth,
    reply: z.object({
      gstin: z.string().nullable(),
      tables: z.array(
        z.object({
          table: z.enum(Object.keys(GSTR_1_TABLES) as [Gstr1Table, ...Gstr1Table[]]),
          /** Rows of the table; credit notes count negative in the amounts. */
          rows: z.int(),
          ...taxAmounts,
        }),
      ),
      accounts: z.array(
        z.object({
          account: z.string(),
          returnPaise: z.int(),
          ledgerPaise: z.int(),
          /** Part of the difference between ledger and return that the listed entries explain. */
          listedPaise: z.int(),
        }),
      ),
      /** Entries of the month that the return does not contain, or that need attention; at most 500. */
      entries: z.array(
        z.object({
          number: z.string(),
          organization: z.string(),
          date: storedDay,
          totalPaise: z.int(),
          reason: z.string(),
        }),
      ),
    }),
  }),
  json: call({
    route: 'POST /admin/gstr-1/json',
    for: roles,
    does: 'Returns GSTR-1 of a month as the JSON file that the GST portal and its offline tool import.',
    audit: 'saved GSTR-1 of a month',
    limit: limits.documents,
    body: ofMonth,
    reply: z.string(),
    kind: 'file',
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    gstReturn: typeof gstReturn
  }
}
