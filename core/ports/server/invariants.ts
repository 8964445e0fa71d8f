import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'P1',
    description: 'A security group that differs from its desired state has a scheduled retry.',
    when: 'always',
    query: `select id from security_group
      where reconcile_at is null and (settled_generation is distinct from generation or last_error is not null)`,
  },
]
