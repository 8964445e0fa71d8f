import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'R1',
    description: 'The machines of ready pools are the spares: each spare that is not being deleted is in one.',
    when: 'always',
    query: `select m.id from machine m full join pool_machine s on s.machine_id = m.id
      where (s.machine_id is null and m.spare and m.desired <> 'gone')
        or (s.machine_id is not null and (not m.spare or m.training_id <> s.training_id))`,
  },
  {
    name: 'R2',
    description: 'A spare has no learner and a ready order of its own.',
    when: 'always',
    query: `select m.id from machine m join machine_order o on o.id = m.order_id
      where (m.spare or m.email = 'ready machine' or m.ordered_for = 'ready machine')
        and not (m.spare and m.email = 'ready machine' and m.ordered_for = m.email and o.machine_count = 1
          and o.ready_at is not null)`,
  },
]
