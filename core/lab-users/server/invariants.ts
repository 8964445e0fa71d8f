import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'B3',
    description: 'Fifteen minutes after its end a sandbox is deleted and a lab user is blocked.',
    when: 'quiet',
    query: `select id from sandbox where ended_at is null
        and least(delete_at, blocked_at) < portal_now() - interval '15 minutes'
      union all select id from azure_user where ended_at is null
        and least(end_at, blocked_at) < portal_now() - interval '15 minutes'
      union all select id from aws_user where ended_at is null
        and least(end_at, blocked_at) < portal_now() - interval '15 minutes'`,
  },
]
