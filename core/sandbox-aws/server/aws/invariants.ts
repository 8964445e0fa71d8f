import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'B6',
    description: 'A leased account and its lab user refer to each other, and each active AWS lab user is scheduled.',
    when: 'always',
    query: `select u.id::text from aws_user u left join aws_account a on a.aws_user_id = u.id
        where u.ended_at is null and u.leased and a.id is distinct from u.aws_account
      union all select a.id from aws_account a join aws_user u on u.id = a.aws_user_id
        where u.ended_at is not null or not u.leased
      union all select id::text from aws_user where ended_at is null and reconcile_at is null`,
  },
]
