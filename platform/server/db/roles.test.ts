import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { backupCommand, restoreCommand } from '@trainyard/server/start/backup-commands.ts'
import { migrateDatabase } from '@trainyard/server/start/migrate-database.ts'
import { readConfig } from '../config/config.ts'
import { connect } from './client.ts'
import { embeddedPlace } from './embedded/place.ts'
import { startEmbedded } from './embedded/start-embedded.ts'
import { queryDatabase } from '../../test/query-database.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { removeFolder } from '../../test/remove-folder.ts'
import { appLoginOf, loginIn, urlAs } from './roles.ts'

const SECRET_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`

describe('a client that can run any statement as the app', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase(inject('testCluster'))
    await queryDatabase(
      database.url,
      `insert into organisation (name) values ('acme');
       with entry as (
         insert into ledger_entry (organisation_id, kind, reference, particular, amount_paise, date, source, created_by)
         select id, 'invoice', 'TY-1', 'Lab machines', 100, '2026-01-31', 'manual', 'x' from organisation returning id)
       select update_balances(ids), post_entries(ids) from (select array(select id from entry) as ids) as added;
       insert into audit (request_id, call, detail) values ('x', 'x', '{}')`,
    )
  })
  afterAll(() => database.drop())

  test.each([
    ['as it is', ''],
    ['with its role unset', 'set role none;'],
    ['with its role reset', 'reset role;'],
    ['as the owner', 'set role trainyard;'],
    ['as another session', 'set session authorization trainyard;'],
    ['as the superuser', 'set role postgres;'],
  ])('cannot change history %s', async (_how, first) => {
    for (const change of [
      'delete from ledger_entry',
      'update audit set actor_email = null',
      'truncate audit',
      'update ledger_balance set payment_paise = 0',
      'alter table ledger_entry disable trigger all',
      'alter table ledger_entry owner to trainyard_app',
      'drop table audit cascade',
      'delete from applied_area',
      'create temporary table mine (name text)',
      'create table public.mine (name text)',
      'create role mine superuser',
    ]) {
      await expect(queryDatabase(database.appUrl, first + change)).rejects.toThrow(
        /permission denied|must be owner|must be able to/,
      )
    }
    // PostgreSQL reports only a warning and grants no rights.
    await queryDatabase(database.appUrl, 'grant update on audit to trainyard_app')
    const [privileges] = await queryDatabase(
      database.url,
      `select has_table_privilege('trainyard_app', 'audit', 'update') as may`,
    )
    expect(privileges).toEqual({ may: false })
    const remaining = await queryDatabase(database.url, 'select from ledger_entry union all select from audit')
    expect(remaining).toHaveLength(2)
  })

  test('cannot add an entry to the balance a second time', async () => {
    const post = queryDatabase(database.appUrl, 'select post_entries(array(select id from ledger_entry))')
    await expect(post).rejects.toThrow('posting_pkey')
    await queryDatabase(database.appUrl, 'select update_balances(array(select id from ledger_entry))')
    const balances = await queryDatabase(database.url, 'select invoice_paise::int as paise from ledger_balance')
    expect(balances).toEqual([{ paise: 100 }])
  })

  test.each([
    ['payment', ['organisation_id', 'amount_paise', 'order_id', 'quote_id'], 'paid_at'],
    ['payment_request', ['organisation_id', 'amount_paise', 'expires_at', 'about', 'asked_by'], 'cancelled_at'],
    ['refund', ['organisation_id', 'order_row', 'payment', 'amount_paise', 'reason', 'asked_by'], 'number'],
    ['sandbox', ['azure_user_id', 'group_name', 'provider', 'delete_at'], 'ended_at'],
    ['quote', ['prepaid', 'prepaid_training', 'content', 'number'], 'answer'],
  ])('cannot change the fixed columns of %s', async (table, fixed, changeable) => {
    for (const column of fixed) {
      const change = `update ${table} set ${column} = ${column}`
      await expect(queryDatabase(database.appUrl, change)).rejects.toThrow(`permission denied for table ${table}`)
    }
    await queryDatabase(database.appUrl, `update ${table} set ${changeable} = ${changeable}`)
    await queryDatabase(database.appUrl, `select from ${table} for update`)
  })

  test('finds no function of the owner that searches temporary tables first', async () => {
    const definers = (await queryDatabase(
      database.url,
      `select proname, proconfig from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`,
    )) as { proname: string; proconfig: string[] }[]
    expect(definers.length).toBeGreaterThan(3)
    expect(definers.filter(({ proconfig }) => proconfig.join() !== 'search_path=public, pg_temp')).toEqual([])
  })
})

test.each([
  ['postgres://own%40er:p%3Ass@db.test:5432/x?sslmode=require', 'own@er', 'p:ss'],
  ['postgresql://db.test/x', null, null],
  ['postgres://one:two@db.test/x?user=three&password=four', 'three', 'four'],
  ['postgresql://trainyard@localhost/trainyard?host=%2Frun%2Fx', 'trainyard', null],
])('%s becomes the same database with another login', (url, role, password) => {
  expect(loginIn(url)).toEqual({ role, password })
  const app = appLoginOf(url)
  expect(app.password === null).toBe(password === null)
  expect(app.password).not.toBe(password ?? '')
  const appUrl = urlAs(url, app)
  expect({ ...loginIn(appUrl), isDerived: true }).toEqual(app)
  const comparableParts = (text: string) => [
    new URL(text).host,
    new URL(text).pathname,
    new URL(text).searchParams.get('host'),
  ]
  expect(comparableParts(appUrl)).toEqual(comparableParts(url))
})

test(
  'portals of several owners, and of one, on one server keep their logins',
  { tags: ['full'], timeout: 120_000 },
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'trainyard-owners-'))
    chmodSync(dir, 0o755)
    const server = await startEmbedded(dir)
    const asRoot = (statement: string) => queryDatabase(server.superuserUrl, statement)
    const portal = async (owner: string, name: string) => {
      await asRoot(`create database ${name} owner ${owner}`)
      const url = new URL(urlAs(server.url, { role: owner, password: `password of ${owner}` }))
      url.pathname = `/${name}`
      return readConfig({ DATABASE_URL: url.href, TRAINYARD_DATA: join(dir, name), SECRET_KEYS })
    }
    const roleOf = async ({ secrets }: ReturnType<typeof readConfig>) => {
      const rows = await queryDatabase(
        secrets.databaseUrl,
        'select session_user as role from (select count(*) from audit) as rows',
      )
      return (rows as { role: string }[])[0]?.role
    }
    try {
      for (const owner of ['one', 'two'])
        await asRoot(`create role ${owner} login createrole password 'password of ${owner}'`)
      writeFileSync(
        join(embeddedPlace(dir).cluster, 'pg_hba.conf'),
        'local all postgres trust\nlocal all all scram-sha-256\n',
      )
      await asRoot('select pg_reload_conf()')
      const first = await portal('one', 'first')
      await migrateDatabase(first.secrets)
      const file = join(dir, 'first.backup')
      await backupCommand(first.config, first.secrets, [file])
      // A backup restored for another owner, and for the same one.
      const [second, third] = [await portal('two', 'second'), await portal('one', 'third')]
      for (const { config, secrets } of [second, third]) await restoreCommand(config, secrets, [file])
      const all = () => Promise.all([first, second, third].map(roleOf))
      expect(await all()).toEqual(['one_app', 'two_app', 'one_app'])
      await migrateDatabase(second.secrets)
      expect(await all()).toEqual(['one_app', 'two_app', 'one_app'])
      // No portal reads or changes the rows of another owner.
      const foreign = new URL(second.secrets.databaseUrl)
      foreign.pathname = '/first'
      await expect(queryDatabase(foreign.href, 'select from audit')).rejects.toThrow('permission denied')

      // The operator chooses a password for a role that another database uses.
      const chosen = urlAs(third.secrets.databaseUrl, { role: 'one_app', password: 'mine' })
      await expect(migrateDatabase({ ...third.secrets, databaseUrl: chosen })).rejects.toThrow(
        'API and worker cannot log in as one_app',
      )
      expect(await all()).toEqual(['one_app', 'two_app', 'one_app'])
      // A role of another program keeps its password.
      await asRoot(
        `create role three login createrole password 'password of three'; create role three_app login password 'theirs'`,
      )
      const fourth = await portal('three', 'fourth')
      await asRoot('create table theirs (); grant select on theirs to three_app')
      await expect(migrateDatabase(fourth.secrets)).rejects.toThrow('API and worker cannot log in as three_app')
      // Its members could read the portal.
      await asRoot('grant three_app to two')
      await expect(migrateDatabase(fourth.secrets)).rejects.toThrow('As a superuser: revoke three_app from two')
      const theirs = urlAs(second.secrets.databaseUrl, { role: 'three_app', password: 'theirs' })
      expect(await queryDatabase(theirs, 'select 1 as one')).toEqual([{ one: 1 }])

      // Rotation of an owner's password.
      await asRoot(`alter role two password 'new'`)
      const rotated = urlAs(second.secrets.ownerUrl!, { role: 'two', password: 'new' })
      const again = readConfig({ DATABASE_URL: rotated, TRAINYARD_DATA: dir, SECRET_KEYS })
      await migrateDatabase(again.secrets)
      expect(await Promise.all([first, again, third].map(roleOf))).toEqual(['one_app', 'two_app', 'one_app'])
    } finally {
      await server.stop()
      removeFolder(dir)
    }
  },
)

test('names what the owner lacks who may not create roles', { tags: ['full'] }, async () => {
  const cluster = inject('testCluster')
  const name = `roleless_${process.pid}`
  await queryDatabase(cluster, `create role ${name} login`)
  await queryDatabase(cluster, `create database ${name} owner ${name}`)
  const url = new URL(urlAs(cluster, { role: name, password: null }))
  url.pathname = `/${name}`
  const secrets = readConfig({ DATABASE_URL: url.href, SECRET_KEYS }).secrets
  try {
    await expect(migrateDatabase(secrets)).rejects.toThrow(
      `The owner ${name} may not create the role ${name}_app of API and worker. As a superuser: alter role ${name} createrole`,
    )
    // The operator created the role, as CloudNativePG does.
    await queryDatabase(cluster, `create role ${name}_app login`)
    await migrateDatabase(secrets)
    expect(await queryDatabase(secrets.databaseUrl, 'select from audit')).toEqual([])
  } finally {
    await queryDatabase(cluster, `drop database ${name} with (force)`)
    await queryDatabase(cluster, `drop role ${name}_app, ${name}`)
  }
})

test("derives the app's password from the owner's password in each migration", { tags: ['storm'] }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-roles-'))
  const database = await startEmbedded(dir)
  try {
    const { superuserUrl } = database
    await queryDatabase(superuserUrl, "alter role trainyard password 'first'")
    writeFileSync(
      join(embeddedPlace(dir).cluster, 'pg_hba.conf'),
      'local all postgres trust\nlocal all all scram-sha-256\n',
    )
    await queryDatabase(superuserUrl, 'select pg_reload_conf()')

    const urls = (ownersPassword: string) => {
      const ownerUrl = urlAs(database.url, { role: 'trainyard', password: ownersPassword })
      return { ownerUrl, databaseUrl: urlAs(ownerUrl, appLoginOf(ownerUrl)) }
    }
    const secrets = (ownersPassword: string) => urls(ownersPassword) as Parameters<typeof migrateDatabase>[0]
    await migrateDatabase(secrets('first'))
    const app = connect({ connectionString: urls('first').databaseUrl }, { size: 1, as: 'app' })
    const { rows } = await sql<{ name: string }>`select session_user as name`.execute(app)
    expect(rows).toEqual([{ name: 'trainyard_app' }])
    await app.destroy()

    await queryDatabase(superuserUrl, "alter role trainyard password 'second'")
    await migrateDatabase(secrets('second'))
    expect(await queryDatabase(urls('second').databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    await expect(queryDatabase(urls('first').databaseUrl, 'select 1')).rejects.toThrow('password authentication failed')

    // The operator may use another role for the app if that role owns nothing.
    await queryDatabase(superuserUrl, "create role mine login password 'mine'")
    const ownSecrets = { ...secrets('second'), databaseUrl: urlAs(database.url, { role: 'mine', password: 'mine' }) }
    await migrateDatabase(ownSecrets)
    expect(await queryDatabase(ownSecrets.databaseUrl, 'select from audit')).toEqual([])
    await expect(queryDatabase(ownSecrets.databaseUrl, 'delete from audit')).rejects.toThrow('permission denied')
    const refusals: [grant: string, sentence: RegExp][] = [
      ['grant update on audit to mine', /^The role mine, .* can change rows of audit, /],
      ['grant update (detail) on audit to mine', /can change rows of audit, /],
      ['grant insert on ledger_balance to mine', /can change rows of ledger_balance, /],
      ['grant pg_write_all_data to mine', /can change rows of .*ledger_entry/],
      ['grant pg_execute_server_program to mine', /can run programs/],
      ['grant changer to mine with inherit false', /can change rows of ledger_entry, .* a role it belongs to\. Name/],
      ['grant postgres to mine', /can become one/],
    ]
    await queryDatabase(superuserUrl, 'create role changer')
    const ofPortal = urlAs(database.url, { role: 'postgres', password: null })
    await queryDatabase(ofPortal, 'grant delete on ledger_entry to changer')
    for (const [grant, sentence] of refusals) {
      await queryDatabase(ofPortal, grant)
      await expect(migrateDatabase(ownSecrets)).rejects.toThrow(sentence)
      await queryDatabase(
        ofPortal,
        grant
          .replace('grant', 'revoke')
          .replace(' to ', ' from ')
          .replace(/ with .*/, ''),
      )
    }
    await migrateDatabase(ownSecrets)
    await queryDatabase(superuserUrl, 'grant trainyard to mine')
    await expect(migrateDatabase(ownSecrets)).rejects.toThrow(
      /^The role mine, .* can become their owner\. Name another/,
    )
  } finally {
    await database.stop()
    removeFolder(dir)
  }
})
