import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'L8',
    description: 'Completed and pending refunds of an online payment never exceed the payment.',
    when: 'always',
    query: `select p.reference from ledger_entry p
      join (select payment, sum(amount) as back from (
          select payment, amount_paise as amount from refund where state in ('wanted', 'sent', 'pending')
          union all select refund_of, amount_paise from ledger_entry e where kind = 'refund' and not exists
            (select from refund r where r.number = e.reference and r.state in ('wanted', 'sent', 'pending'))) parts
        group by payment) b on b.payment = p.reference
      where p.kind = 'payment' and p.source = 'provider' and back > p.amount_paise`,
  },
]
