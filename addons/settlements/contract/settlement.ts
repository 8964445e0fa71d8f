import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { SETTLEMENT_DIFFERENCES, type SettlementDifference } from './settlement-words.ts'
import { storedDay } from '@trainyard/platform/contract/shapes.ts'

const roles = ['superadmin'] as const
const settlementId = z.string().regex(/^[\w-]{1,40}$/, 'must be the ID of a settlement')

/** Amounts in paise. `netPaise` is what the bank received. */
const amounts = {
  feePaise: z.int(),
  /** GST on the fee, which `feePaise` does not include. */
  taxPaise: z.int(),
  netPaise: z.int(),
}

const settlementRow = z.object({
  id: z.string(),
  /** Reference of the bank transfer. */
  utr: z.string().nullable(),
  date: storedDay,
  lines: z.int(),
  paymentsPaise: z.int(),
  /** Negative. */
  refundsPaise: z.int(),
  /** Adjustments, transfers and other lines. */
  othersPaise: z.int(),
  ...amounts,
})

export const settlement = {
  list: call({
    route: 'GET /admin/settlements',
    for: roles,
    does: 'Lists the settlements of the payment provider, newest first, at most 100.',
    query: z.strictObject({ before: settlementId.optional() }),
    reply: z.object({
      settlements: z.array(settlementRow),
      /** `before` of the next page. */
      earlier: z.string().nullable(),
      /** Last day that was read; null if none was. */
      readTo: storedDay.nullable(),
    }),
  }),
  lines: call({
    route: 'GET /admin/settlement',
    for: roles,
    does: 'Returns the lines of a settlement, at most 1,000, and the entries that posted it.',
    query: z.strictObject({ id: settlementId }),
    reply: z.object({
      lines: z.array(
        z.object({
          id: z.string(),
          type: z.string(),
          /** Payer, or customer that received a refund; null if the ledger does not have it. */
          organization: z.string().nullable(),
          description: z.string().nullable(),
          /** Negative if deducted. */
          grossPaise: z.int(),
          ...amounts,
        }),
      ),
      /** Ledger entries of the settlement. There are several after corrections and late lines. */
      entries: z.array(z.object({ number: z.int(), date: storedDay, netPaise: z.int() })),
    }),
  }),
  differences: call({
    route: 'GET /admin/settlements/differences',
    for: roles,
    does: 'Returns the balance of the account Payment Provider, the part that waits for settlement, and the differences between ledger and settlements, at most 500.',
    reply: z.object({
      balancePaise: z.int(),
      /** Payments less refunds that no settlement has, also if that is no difference yet. */
      waitingPaise: z.int(),
      rows: z.array(
        z.object({
          id: z.string(),
          reason: z.enum(Object.keys(SETTLEMENT_DIFFERENCES) as [SettlementDifference, ...SettlementDifference[]]),
          date: storedDay,
          organization: z.string().nullable(),
          settlement: z.string().nullable(),
          ledgerPaise: z.int(),
          settledPaise: z.int(),
        }),
      ),
    }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    settlement: typeof settlement
  }
}
