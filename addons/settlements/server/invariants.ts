import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'L15',
    description: 'The postings of a settlement balance and are those of its lines.',
    when: 'always',
    query: `select settlement from settlement_unposted
      union all select e.settlement from settlement_entry e left join settlement_posting p on p.entry_id = e.id
      group by e.id having count(p.account) < 2 or sum(p.paise) <> 0`,
  },
]
