import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedDatabase } from '#test/shared.ts'
import { up } from './migrations/002-fresh-proof.ts'

const { db } = await sharedDatabase({ size: 1 })

test('reads from the audit which superadmins could control accounts of other superadmins', async () => {
  await sql`
    insert into portal_user (email, role, organisation_id) values
      ('root@x.test', 'superadmin', null), ('puppet@x.test', 'superadmin', null), ('risen@x.test', 'superadmin', null);
    insert into audit (request_id, call, actor_id, detail, refused)
      select 'r', call, id, detail::jsonb, refused from portal_user, (values
        ('user.create', '{"body":{"email":"PUPPET@x.test"}}', null),
        ('secondFactor.confirmReset', '{"body":{"email":"puppet@x.test"}}', null),
        ('people.change', '{"body":{"email":"risen@x.test","userType":"superadmin"}}', null),
        ('people.change', '{"body":{"email":"root@x.test","name":"Root"}}', null),
        ('user.invite', '{"body":{"email":"risen@x.test"}}', 'forbidden')) as row (call, detail, refused)
      where email = 'root@x.test';
    drop table account_control;
    alter table session alter confirmed_at set not null`.execute(db)
  await up(db as never)
  const { rows } = await sql`
    select u.email, reason, c.email as by from account_control
    join portal_user u on u.id = user_id join portal_user c on c.id = controlled_by order by u.email`.execute(db)
  expect(rows).toEqual([
    { email: 'puppet@x.test', reason: 'created', by: 'root@x.test' },
    { email: 'risen@x.test', reason: 'promoted', by: 'root@x.test' },
  ])
})
