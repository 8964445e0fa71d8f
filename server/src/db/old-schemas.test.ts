import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { createEmptyDatabase } from '#test/database.ts'
import { brokenInvariants } from '../invariants/check.ts'
import { awaitDatabase } from './await-database.ts'
import { connect } from './client.ts'
import { migrate, migratorOf } from './migrate.ts'
import { appLoginOf, urlAs } from './roles.ts'
import type { Db } from './schema.ts'

/** The last migration of versions that people may have; those between differ by a table or two. */
const VERSIONS = ['046-snapshots', '056-clock', '068-words', '080-day-totals', '092-tax-documents']

/** An organisation with a user, a machine that ran an hour, and an invoice; of columns that all versions have. */
async function inhabit(owner: Db): Promise<void> {
  await sql`
    with o as (insert into organisation (name) values ('Acme') returning id),
      u as (insert into portal_user (email, role, organisation_id, password_hash)
        select 'admin@acme.test', 'admin', id, 'none' from o),
      l as (insert into ledger_entry (organisation_id, kind, reference, particular, amount_paise, date, source, created_by)
        select id, 'invoice', 'A-1', 'A month', 12345, date '2026-01-31', 'manual', 'root@x.test' from o),
      t as (insert into training (organisation_id, name) select id, 'Old' from o returning id, organisation_id),
      r as (insert into machine_order (training_id, organisation_id, template_name, ordered_by, machine_count)
        select id, organisation_id, 'card', 'admin', 1 from t returning id, training_id, organisation_id),
      m as (insert into machine (name, organisation_id, training_id, order_id, email, resource_group, location, vnet,
          vm_size, image_id, os, licence, admin_username, guacamole, paise_per_hour, desired, observed, reconcile_at,
          created_at, terminated_at)
        select 'over', organisation_id, training_id, r.id, 'one@acme.test', 'labs', 'centralindia', 'net', 'B1s',
          'a:b:c:d', 'Linux', 'none', 'azureuser', false, 100, 'gone', 'absent', null, timestamptz '2026-01-01Z', timestamptz '2026-01-02Z' from r
        returning id, organisation_id)
    insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour)
      select id, organisation_id, timestamptz '2026-01-01T09:00Z', timestamptz '2026-01-01T10:00Z', 100 from m`.execute(
    owner,
  )
}

test.each(VERSIONS)('a database of %s is brought to this version with all that it holds', async (version) => {
  const database = await createEmptyDatabase(inject('testCluster'))
  const owner = connect({ connectionString: database.url }, { size: 2, as: 'owner' })
  const app = connect({ connectionString: urlAs(database.url, appLoginOf(database.url)) }, { size: 2, as: 'app' })
  try {
    const { error } = await migratorOf(owner).migrateTo(version)
    expect(error).toBeUndefined()
    await inhabit(owner)
    await migrate(owner)
    await awaitDatabase(app, { say: () => {}, signal: new AbortController().signal })
    const { rows } = await sql`select o.name, u.email, l.amount_paise, m.name as machine,
        extract(epoch from r.stopped_at - r.started_at)::int as seconds
      from organisation o join portal_user u on u.organisation_id = o.id join ledger_entry l on l.organisation_id = o.id
      join machine m on m.organisation_id = o.id join run r on r.machine_id = m.id`.execute(app)
    expect(rows).toEqual([
      { name: 'Acme', email: 'admin@acme.test', amount_paise: 12_345, machine: 'over', seconds: 3_600 },
    ])
    expect(await brokenInvariants(owner, { quiet: true })).toEqual([])
  } finally {
    await Promise.all([owner.destroy(), app.destroy()])
    await database.drop()
  }
})
