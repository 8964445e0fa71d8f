import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'L14',
    description: 'Prepaid credit is at most the payment that bought it, and what expires at most the credit.',
    when: 'always',
    query: `select p.payment from prepaid_purchase p join ledger_entry e on e.organisation_id = p.organisation_id
        and e.kind = 'payment' and e.reference = p.payment
      where p.gross_paise > e.amount_paise or p.expired_paise > p.credit_paise`,
  },
]
