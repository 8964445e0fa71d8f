import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createEmptyDatabase } from '#test/database.ts'
import { dumpOf } from '#test/schema-dump.ts'
import { migrateTo01 } from '#test/version-0-1.ts'
import { brokenInvariants } from '../invariants/check.ts'
import { migrateAll } from '../start/migrate-database.ts'
import { awaitDatabase } from './await-database.ts'
import { connect } from './client.ts'
import { appLoginOf, urlAs } from './roles.ts'
import type { Db } from './schema.ts'

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let owner: Db
beforeEach(async () => {
  database = await createEmptyDatabase(inject('testCluster'))
  owner = connect({ connectionString: database.url }, { size: 2, as: 'owner' })
})
afterEach(async () => {
  await owner.destroy()
  await database.drop()
})

async function dumpOfNew(): Promise<string[]> {
  const empty = await createEmptyDatabase(inject('testCluster'))
  const db = connect({ connectionString: empty.url }, { size: 1, as: 'owner' })
  try {
    await migrateAll(db)
    return await dumpOf(db)
  } finally {
    await db.destroy()
    await empty.drop()
  }
}

test('converts a database of version 0.1.0 to exactly the schema and rows of a new database', async () => {
  await migrateTo01(owner)
  await migrateAll(owner)
  const [converted, created] = [await dumpOf(owner), await dumpOfNew()]
  const missing = created.filter((line) => !converted.includes(line))
  const added = converted.filter((line) => !created.includes(line))
  expect({ missing, added }).toEqual({ missing: [], added: [] })
  expect(converted).toEqual(created)
  for (const kind of [
    'column',
    'constraint',
    'function',
    'index',
    'relation',
    'row of supplier',
    'sequence',
    'trigger',
  ])
    expect(created.filter((line) => line.startsWith(`${kind} `))).not.toEqual([])
})

/** Inserts an organisation with a user, a machine that ran for an hour, an invoice and two budgets; and a task. */
async function inhabit(): Promise<void> {
  await sql`
    with o as (insert into organisation (name) values ('Acme') returning id),
      u as (insert into portal_user (email, role, organisation_id, password_hash)
        select 'admin@acme.test', 'admin', id, 'none' from o),
      l as (insert into ledger_entry (organisation_id, kind, reference, particular, amount_paise, date, source, created_by)
        select id, 'invoice', 'A-1', 'A month', 12345, date '2026-01-31', 'manual', 'root@x.test' from o),
      t as (insert into training (organisation_id, name) select id, 'Old' from o returning id, organisation_id),
      b as (insert into budget (organisation_id, training_id, amount_paise, leash, set_by, leashed_at)
        select organisation_id, id, 10000, true, 'admin@acme.test', timestamptz '2026-01-02Z' from t
        union all select organisation_id, null, 20000, false, 'admin@acme.test', null from t),
      r as (insert into machine_order (training_id, organisation_id, template_name, ordered_by, machine_count)
        select id, organisation_id, 'card', 'admin', 1 from t returning id, training_id, organisation_id),
      m as (insert into machine (name, organisation_id, training_id, order_id, email, resource_group, location, vnet,
          vm_size, image_id, os, licence, admin_username, guacamole, paise_per_hour, desired, observed, reconcile_at,
          created_at, terminated_at)
        select 'over', organisation_id, training_id, r.id, 'one@acme.test', 'labs', 'centralindia', 'net', 'B1s',
          'a:b:c:d', 'Linux', 'none', 'azureuser', false, 100, 'gone', 'absent', null, timestamptz '2026-01-01Z',
          timestamptz '2026-01-02Z' from r
        returning id, organisation_id)
    insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour)
      select id, organisation_id, timestamptz '2026-01-01T09:00Z', timestamptz '2026-01-01T10:00Z', 100 from m`.execute(
    owner,
  )
  await sql`insert into task (name, every, attempts, last_error) values ('judge budgets', 60, 2, 'a lost connection')`.execute(
    owner,
  )
}

test('keeps the rows in a conversion and gives the app access to them', async () => {
  await migrateTo01(owner)
  await inhabit()
  await migrateAll(owner)
  const app = connect({ connectionString: urlAs(database.url, appLoginOf(database.url)) }, { size: 2, as: 'app' })
  try {
    await awaitDatabase(app, { logMessage: () => {}, signal: new AbortController().signal })
    const { rows } = await sql`select o.name, u.email, l.amount_paise, m.name as machine,
        extract(epoch from r.stopped_at - r.started_at)::int as seconds, b.amount_paise as budget, b.spending_cap,
        b.cap_reached_at
      from organisation o join portal_user u on u.organisation_id = o.id join ledger_entry l on l.organisation_id = o.id
      join machine m on m.organisation_id = o.id join run r on r.machine_id = m.id
      join budget b on b.organisation_id = o.id order by b.amount_paise`.execute(app)
    const shared = { name: 'Acme', email: 'admin@acme.test', amount_paise: 12_345, machine: 'over', seconds: 3_600 }
    expect(rows).toEqual([
      { ...shared, budget: 10_000, spending_cap: true, cap_reached_at: new Date('2026-01-02T00:00:00Z') },
      { ...shared, budget: 20_000, spending_cap: false, cap_reached_at: null },
    ])
    const { rows: tasks } = await sql`select name, attempts, last_error from task`.execute(app)
    expect(tasks).toEqual([{ name: 'check budgets', attempts: 2, last_error: 'a lost connection' }])
    expect(await brokenInvariants(owner, { quiet: true })).toEqual([])
  } finally {
    await app.destroy()
  }
})

test('converts GST numbers older than their rule, and keeps an extension that other tables use', async () => {
  await migrateTo01(owner, '075-audit-chain')
  await sql`insert into organisation (name, gst) values ('Acme', 'unknown')`.execute(owner)
  await migrateTo01(owner)
  await sql`create table theirs (number integer, exclude using gist (number with =))`.execute(owner)
  await migrateAll(owner)
  const { rows } = await sql`select gst from organisation`.execute(owner)
  expect(rows).toEqual([{ gst: 'unknown' }])
  await expect(sql`insert into organisation (name, gst) values ('Other', 'unknown')`.execute(owner)).rejects.toThrow(
    'organisation_gst',
  )
  await sql`insert into theirs values (1)`.execute(owner)
})

test('converts a database from several processes at the same time', { tags: ['storm'] }, async () => {
  await migrateTo01(owner)
  const owners = Array.from({ length: 4 }, () => connect({ connectionString: database.url }, { size: 1, as: 'owner' }))
  try {
    await Promise.all(owners.map((each) => migrateAll(each)))
  } finally {
    await Promise.all(owners.map((each) => each.destroy()))
  }
  const { rows } = await sql`select name from kysely_migration where name < '002'`.execute(owner)
  expect(rows).toEqual([{ name: '001-baseline' }])
})

test(
  'fails a conversion after a second and changes nothing if it cannot lock a table',
  { tags: ['storm'] },
  async () => {
    await migrateTo01(owner)
    const before = await dumpOf(owner)
    const other = connect({ connectionString: database.url }, { size: 1, as: 'owner' })
    try {
      const start = performance.now()
      await other.transaction().execute(async (tx) => {
        await sql`lock table machine in access share mode`.execute(tx)
        await expect(migrateAll(owner)).rejects.toThrow(/lock timeout/)
      })
      expect(performance.now() - start).toBeLessThan(5_000)
    } finally {
      await other.destroy()
    }
    expect(await dumpOf(owner)).toEqual(before)
    await migrateAll(owner)
  },
)

test.each(['001-foundation', '161-admins-second-factor'])(
  'a database older than version 0.1.0 is refused unchanged: %s',
  async (last) => {
    await migrateTo01(owner, last)
    const before = await dumpOf(owner)
    await expect(migrateAll(owner)).rejects.toThrow(
      /^The database is older than version 0\.1\.0: it lacks the migrations .*162-traces-of-orphans\. Start version 0\.1\.0 \(commit \w+\) with it once, then this version\.$/,
    )
    expect(await dumpOf(owner)).toEqual(before)
  },
)

test('keeps existing names that look the same, and numbers them', async () => {
  await migrateTo01(owner)
  const insert = sql<{
    id: string
  }>`insert into organisation (name) values ('Acme'), ('\uFF21cme'), ('Other') returning id`
  const { rows: organisations } = await insert.execute(owner)
  await sql`insert into training (organisation_id, name, created_at)
    select id, training.name, now() + make_interval(secs => place) from (values ('Docker Basics', 1), ('docker  basics', 2),
      ('DOCKER BASICS', 3), ('Docker', 4)) as training (name, place), organisation where organisation.name = 'Acme'`.execute(
    owner,
  )
  await migrateAll(owner)
  const { rows } = await sql`select name, look_alike from training order by created_at`.execute(owner)
  expect(rows).toEqual([
    { name: 'Docker Basics', look_alike: 0 },
    { name: 'docker  basics', look_alike: 1 },
    { name: 'DOCKER BASICS', look_alike: 2 },
    { name: 'Docker', look_alike: 0 },
  ])
  const { rows: totals } = await sql<{ total: number }>`
    select sum(look_alike)::int as total from organisation`.execute(owner)
  expect([organisations.length, totals[0]!.total]).toEqual([3, 1])
  const another = sql`insert into training (organisation_id, name)
    select organisation_id, 'dockeR basics' from training limit 1`
  await expect(another.execute(owner)).rejects.toThrow('training_name')
})
