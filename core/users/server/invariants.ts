import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'T4',
    description: 'No session outlives its user.',
    when: 'always',
    query: `select s.user_id from session s left join portal_user u on u.id = s.user_id where u.id is null`,
  },
]
