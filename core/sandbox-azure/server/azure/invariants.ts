import type { Invariant } from '@trainyard/platform/server/core/tables.ts'

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'B1',
    description: 'A resource group belongs to one sandbox.',
    when: 'always',
    query: `select lower(group_name) from sandbox where ended_at is null
      group by provider, lower(group_name) having count(*) > 1`,
  },
  {
    name: 'B2',
    description:
      "A lab user's consumed credits equal the charges; sandboxes are frozen exactly when all credits are used.",
    when: 'always',
    query: `select u.id from azure_user u
      left join (select s.azure_user_id, sum(c.paise) as used from sandbox_charge c join sandbox s on s.id = c.sandbox_id
        group by 1) c on c.azure_user_id = u.id
      where u.consumed_paise <> coalesce(c.used, 0) or u.consumed_paise > u.total_paise
      union all select s.id from sandbox s join azure_user u on u.id = s.azure_user_id
      where s.desired <> 'gone' and (s.desired = 'frozen') <> (u.consumed_paise >= u.total_paise)`,
  },
  {
    name: 'B2',
    description: 'A frozen sandbox is read-only.',
    when: 'quiet',
    query: `select id from sandbox where desired = 'frozen' and access = 'full'`,
  },
  {
    name: 'B5',
    description: 'No sandbox outlives its lab user.',
    when: 'always',
    query: `select s.id from sandbox s join azure_user u on u.id = s.azure_user_id
      where u.ended_at is not null and s.ended_at is null`,
  },
]
