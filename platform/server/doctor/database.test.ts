/** @module-tag full */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { setPortalClock } from '../../test/clock.ts'
import { type DoctorPortal, failedWith, overrideServerSettings, startDoctorPortal } from '../../test/doctor-portal.ts'
import { connect } from '../db/client.ts'
import { addUser } from '../../test/azure-lab-rows.ts'
import { readOnly } from './settings.ts'

let doctorPortal: DoctorPortal
beforeEach(async () => {
  doctorPortal = await startDoctorPortal()
})
afterEach(() => doctorPortal.close())

const runChecks = (settings = {}) => doctorPortal.examine('Database', settings)
const run = (statement: string) => sql.raw(statement).execute(doctorPortal.portal.owner)
const name = () => new URL(doctorPortal.settings['DATABASE_URL']!).pathname.slice(1)

const SOUND = { fsync: 'on', full_page_writes: 'on' }

test('reports no problem for a sound database', async () => {
  expect(await runChecks()).toEqual({
    connection: 'green',
    PostgreSQL: 'green',
    'schema version': 'green',
    durability: 'green',
    roles: 'green',
    clock: 'green',
    'stored secrets': 'green',
    invariants: 'green',
  })
})

test('skips the other checks if the server is unreachable', async () => {
  const results = await runChecks({ DATABASE_URL: 'postgres://nobody:password@127.0.0.1:1/none' })
  expect(results).toMatchObject({ connection: failedWith(/ECONNREFUSED/, /DATABASE_URL/) })
  expect(new Set(Object.values(results).slice(1))).toEqual(new Set(['not run']))
})

test('reports an old server version', async () => {
  await overrideServerSettings(doctorPortal.portal.owner, {
    ...SOUND,
    server_version_num: '140012',
    server_version: '14.12',
  })
  expect(await runChecks()).toMatchObject({
    PostgreSQL: failedWith(/version 14.12/, /15 or newer/),
    durability: 'green',
  })
})

test('reports synchronous_commit off', async () => {
  await run(`alter database ${name()} set synchronous_commit = off`)
  expect(await runChecks()).toMatchObject({ durability: failedWith(/synchronous_commit is off/, /alter system/) })
})

test.each(['fsync', 'full_page_writes'])('reports %s off', async (setting) => {
  await overrideServerSettings(doctorPortal.portal.owner, { ...SOUND, [setting]: 'off' })
  expect(await runChecks()).toMatchObject({ durability: failedWith(new RegExp(`${setting} is off`)) })
})

test('reports missing tables', async () => {
  await run(`delete from applied_area where name = 'webhooks'`)
  expect(await runChecks()).toMatchObject({
    'schema version': failedWith(/the tables of webhooks are missing/, /npm run upgrade/),
    roles: 'not run',
  })
})

test("reports history tables that the portal's role can change", async () => {
  await run('grant update on ledger_entry to trainyard_app')
  expect(await runChecks()).toMatchObject({ roles: failedWith(/can change rows of ledger_entry/, /npm run migrate/) })
})

test('reports a login that owns the tables or can become the owner', async () => {
  const owner = { DATABASE_APP_URL: doctorPortal.settings['DATABASE_URL']! }
  expect(await runChecks(owner)).toMatchObject({
    roles: failedWith(/trainyard, which .* owns tables/, /DATABASE_APP_URL/),
  })
})

test('reports a violated invariant with its first row', async () => {
  await run("insert into organisation (id, name) values (gen_random_uuid(), 'Acme')")
  await run(
    'insert into ledger_balance (organisation_id, invoice_paise, payment_paise) select id, 100, 0 from organisation',
  )
  expect(await runChecks()).toMatchObject({
    invariants: {
      red: [
        {
          what: expect.stringMatching(/^L3 is violated: The balance .*\. First row: \{/),
          todo: expect.stringMatching(/npm run invariants/),
        },
        { what: expect.stringMatching(/^L12 is violated: /), todo: expect.stringMatching(/npm run invariants/) },
      ],
    },
  })
})

test("opens read-only connections, and checks invariants without the database's time limit", async () => {
  await run(`alter database ${name()} set statement_timeout = '1s'`)
  const db = connect({ connectionString: readOnly(doctorPortal.settings['DATABASE_URL']!) }, { size: 1, as: 'app' })
  const { rows } = await sql`select name, setting from pg_catalog.pg_settings
    where name in ('default_transaction_read_only', 'statement_timeout') order by name`.execute(db)
  await db.destroy()
  expect(rows).toEqual([
    { name: 'default_transaction_read_only', setting: 'on' },
    { name: 'statement_timeout', setting: '0' },
  ])
})

test('reports a database clock that is ahead', async () => {
  await setPortalClock(doctorPortal.portal.owner, { ahead: 90 })
  expect(await runChecks()).toMatchObject({ clock: failedWith(/(89|90|91) s ahead/, /NTP/) })
})

test('reports a key that decrypts none of the stored secrets', async () => {
  await addUser(doctorPortal.portal.app)
  expect(await runChecks()).toMatchObject({ 'stored secrets': 'green' })
  const other = { SECRET_KEYS: `other:${Buffer.alloc(32, 5).toString('base64')}` }
  expect(await runChecks(other)).toMatchObject({
    'stored secrets': failedWith(
      /key other decrypts none of the 1 stored secret, which needs the key test/,
      /Add the key/,
    ),
  })
})
