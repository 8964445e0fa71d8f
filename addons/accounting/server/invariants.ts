import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'L11',
    description: 'The debits and credits of each ledger entry balance.',
    when: 'always',
    query: `select e.reference from ledger_entry e left join posting p on p.entry_id = e.id
      group by e.id having count(p.account) < 2 or sum(p.paise) <> 0`,
  },
  {
    name: 'L12',
    description: 'Receivable and advances of a customer add up to its balance, and a customer never has both.',
    when: 'always',
    query: `select b.organisation_id from ledger_balance b left join (
        select organisation_id, sum(paise) filter (where account = 'receivable') as receivable,
          sum(paise) filter (where account = 'advances') as advances from posting group by organisation_id) p
        using (organisation_id)
      where coalesce(p.receivable, 0) <> greatest(b.invoice_paise - b.payment_paise, 0)
        or coalesce(p.advances, 0) <> least(b.invoice_paise - b.payment_paise, 0)`,
  },
]
