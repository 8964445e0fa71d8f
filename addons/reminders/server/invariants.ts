import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'L10',
    description: 'A payment for a payment request has the requested amount.',
    when: 'always',
    query: `select p.order_id from payment p join payment_request r on r.id = p.request
      where p.amount_paise <> r.amount_paise`,
  },
]
