import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { connect } from './client.ts'
import { createEmptyDatabase } from '#test/database.ts'
import { migrate, migratorOf } from './migrate.ts'
import type { Db } from './schema.ts'

/** Rows of an older portal, brought to this version by the migrations that change rows. */
let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let owner: Db
beforeEach(async () => {
  database = await createEmptyDatabase(inject('testCluster'))
  owner = connect({ connectionString: database.url }, { size: 1, as: 'owner' })
})
afterEach(async () => {
  await owner.destroy()
  await database.drop()
})

async function migrateTo(name: string): Promise<void> {
  const { error } = await migratorOf(owner).migrateTo(name)
  if (error !== undefined) throw error
}

test('sandboxes that were frozen early are made ready again, and nothing stays set aside', async () => {
  await migrateTo('062-credited-payments')
  const user = async (name: string, credits: { total: number; reserved: number; consumed: number }, ended = false) => {
    const id = randomUUID()
    await sql`insert into azure_user (id, email, personal_email, days, end_at, total_paise, reserved_paise,
        consumed_paise, desired, ended_at, reconcile_at)
      values (${id}, ${`${name}@labs.test`}, ${`${name}@own.test`}, 3, portal_now() + interval '3 days',
        ${credits.total}, ${credits.reserved}, ${credits.consumed}, ${ended ? 'gone' : 'ready'},
        ${ended ? sql`portal_now()` : null}, null)`.execute(owner)
    return id
  }
  const sandbox = (of: string, name: string, desired: string, reserved: number) =>
    sql`insert into sandbox (group_name, azure_user_id, location, delete_at, reserved_paise, desired, access, ours,
        reconcile_at, generation, ended_at)
      values (${name}, ${of}, 'centralindia', portal_now() + interval '1 day', ${reserved}, ${desired},
        ${{ ready: 'full', frozen: 'read' }[desired] ?? 'none'}, true, null, 7,
        ${desired === 'gone' ? sql`portal_now()` : null})`.execute(owner)

  const early = await user('early', { total: 100_000, reserved: 10_000, consumed: 90_000 })
  await sandbox(early, 'early-frozen', 'frozen', 10_000)
  await sandbox(early, 'early-gone', 'gone', 0)
  const spent = await user('spent', { total: 100_000, reserved: 0, consumed: 100_000 })
  await sandbox(spent, 'spent-frozen', 'frozen', 0)
  const busy = await user('busy', { total: 100_000, reserved: 20_000, consumed: 0 })
  await sandbox(busy, 'busy-ready', 'ready', 20_000)
  const ended = await user('ended', { total: 100_000, reserved: 0, consumed: 5 }, true)

  await migrate(owner)

  const { rows } =
    await sql`select group_name, desired, generation::int, reconcile_at is not null as due, paise_per_hour
    from sandbox order by group_name`.execute(owner)
  expect(rows).toEqual([
    { group_name: 'busy-ready', desired: 'ready', generation: 7, due: false, paise_per_hour: 0 },
    { group_name: 'early-frozen', desired: 'ready', generation: 8, due: true, paise_per_hour: 0 },
    { group_name: 'early-gone', desired: 'gone', generation: 7, due: false, paise_per_hour: 0 },
    { group_name: 'spent-frozen', desired: 'frozen', generation: 7, due: false, paise_per_hour: 0 },
  ])
  // The consumed paise stay; all that is left may be consumed, and no more.
  const consume = (of: string, paise: number) =>
    sql`update azure_user set consumed_paise = consumed_paise + ${paise} where id = ${of}`.execute(owner)
  await consume(early, 10_000)
  await consume(busy, 100_000)
  await expect(consume(spent, 1)).rejects.toThrow(/check constraint/)
  // The checks that named what was set aside came back without it.
  await expect(sql`update azure_user set desired = 'ready' where id = ${ended}`.execute(owner)).rejects.toThrow(/check/)
  await expect(sql`update sandbox set access = 'full' where group_name = 'early-gone'`.execute(owner)).rejects.toThrow(
    /check constraint/,
  )
})

test('machines that were shown as failing with nothing to try are looked at again, and no others', async () => {
  await migrateTo('052-not-priced')
  await sql`
    with o as (insert into organisation (name) values ('Acme') returning id),
      t as (insert into training (organisation_id, name) select id, 'Old' from o returning id, organisation_id),
      r as (insert into machine_order (training_id, organisation_id, template_name, ordered_by, machine_count)
        select id, organisation_id, 'card', 'admin', 4 from t returning id, training_id, organisation_id)
    insert into machine (name, organisation_id, training_id, order_id, email, resource_group, location, vnet, vm_size,
      image_id, os, licence, admin_username, admin_password, guacamole, paise_per_hour, desired, observed, trouble,
      reconcile_at, terminated_at)
    select m.name, organisation_id, training_id, r.id, m.name || '@own.test', 'labs', 'centralindia', 'net', 'B1s',
      'a:b:c:d', 'Linux', 'none', 'azureuser', case when not m.ended then '\\x00'::bytea end, false, 100,
      case when m.ended then 'gone' else 'stopped' end, case when m.ended then 'absent' else 'stopped' end, m.trouble,
      m.reconcile_at, case when m.ended then portal_now() end
    from r, (values
      ('stuck', 'It failed.', null::timestamptz, false),
      ('later', 'It failed.', timestamptz '2100-01-01Z', false),
      ('well', null, null, false),
      ('over', 'It failed.', null, true)) as m (name, trouble, reconcile_at, ended)`.execute(owner)

  await migrate(owner)

  const { rows } =
    await sql`select name, reconcile_at <= portal_now() as due, refused from machine order by name`.execute(owner)
  expect(rows).toEqual([
    { name: 'later', due: false, refused: false },
    { name: 'over', due: null, refused: false },
    { name: 'stuck', due: true, refused: false },
    { name: 'well', due: null, refused: false },
  ])
})
