import { cpSync, globSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createEmptyDatabase, createTestDatabase } from '../../test/database.ts'
import { migrateAll } from '@trainyard/server/start/migrate-database.ts'
import { until } from '@trainyard/server/start/test-run.ts'
import { connectAll, SERVER_MODULES } from '@trainyard/modules/server.ts'
import { removeFolder } from '../../test/remove-folder.ts'
import { connectModules } from '../core/events.ts'
import { grantAppAccess } from './app-access.ts'
import { awaitDatabase } from './await-database.ts'
import { connect } from './client.ts'
import { createTables, missingTables } from './migrate.ts'
import { appLoginOf, urlAs } from './roles.ts'
import type { Db } from './schema.ts'

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let owners: Db[]
beforeEach(async () => {
  database = await createEmptyDatabase(inject('testCluster'))
  owners = Array.from({ length: 4 }, () => connect({ connectionString: database.url }, { size: 1, as: 'owner' }))
})
afterEach(async () => {
  await Promise.all(owners.map((owner) => owner.destroy()))
  await database.drop()
})

test('migrates an empty database from several processes at the same time', async () => {
  await Promise.all(owners.map((owner) => migrateAll(owner)))
  for (const owner of owners) expect(await missingTables(owner)).toEqual([])
})

test('grants access in several databases of one server at the same time', async () => {
  const databases = await Promise.all([1, 2, 3].map(() => createTestDatabase(inject('testCluster'))))
  const connections = databases.map(({ url }) => connect({ connectionString: url }, { size: 1, as: 'owner' }))
  try {
    for (let round = 0; round < 10; round++) {
      const grants = connections.map((owner, index) => grantAppAccess(owner, appLoginOf(databases[index]!.url)))
      await expect(Promise.all(grants)).resolves.toHaveLength(databases.length)
    }
  } finally {
    await Promise.all(connections.map((owner) => owner.destroy()))
    await Promise.all(databases.map(({ drop }) => drop()))
  }
})

test('refuses a database that is newer than the program', async () => {
  const [owner, other] = owners as [Db, Db]
  await migrateAll(owner)
  await sql`insert into applied_area (name, digest) values ('tomorrow', '')`.execute(owner)
  await expect(migrateAll(other)).rejects.toThrow(
    /^The database is newer than this program: it has the tables of tomorrow, /,
  )
})

test('makes connections of the app wait for the grants, the last step of a migration', async () => {
  const messages: string[] = []
  const stopping = new AbortController()
  const [owner] = owners
  const app = connect({ connectionString: urlAs(database.url, appLoginOf(database.url)) }, { size: 1, as: 'app' })
  try {
    await createTables(owner!)
    const waited = awaitDatabase(app, { logMessage: (sentence) => messages.push(sentence), signal: stopping.signal })
    await until('the reason is reported', () => messages.at(-1)?.includes('npm run migrate') ?? false)
    await migrateAll(owner!)
    expect(await waited).toBe(true)
    expect(messages.at(-1)).toBe('The database answers.')
  } finally {
    stopping.abort()
    await app.destroy()
  }
})

test('refuses the database of a version before the first release, and changes nothing', async () => {
  const [owner] = owners as [Db]
  await sql`create table kysely_migration (name text); create table training (name text)`.execute(owner)
  await expect(migrateAll(owner)).rejects.toThrow(
    'This data folder was made by an unreleased version. Start with an empty folder.',
  )
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace order by relname`.execute(owner)
  expect(rows.map(({ name }) => name)).toEqual(['kysely_migration', 'training'])
})

test.each([
  ['with another text of a file', sql`update applied_area set digest = 'another' where name = 'trainings'`],
  ['without digests', sql`alter table applied_area drop column digest`],
])('refuses tables %s, and changes nothing', async (_, earlier) => {
  const [owner, other] = owners as [Db, Db]
  await migrateAll(owner)
  await earlier.execute(owner)
  await sql`delete from applied_area where name = 'webhooks'`.execute(owner)
  await expect(migrateAll(other)).rejects.toThrow('This data folder was made by an unreleased version.')
  const { rows } = await sql`select from applied_area where name = 'webhooks'`.execute(owner)
  expect(rows).toEqual([])
})

test('applies every tables.sql', async () => {
  const [owner] = owners as [Db]
  await migrateAll(owner)
  const { rows } = await sql<{ name: string }>`select name from applied_area order by name`.execute(owner)
  const files = globSync('{platform,core/*,addons/*}/{tables,migrations/*}.sql', {
    cwd: new URL('../../../', import.meta.url),
  })
  const names = files.map((file) =>
    file.replace(/^(?:core|addons)\//, '').replace(/\/(?:tables\.sql|migrations(?=\/))|\.sql$/g, ''),
  )
  expect(rows.map(({ name }) => name)).toEqual(names.toSorted())
})

/** Connects all modules, two of them with migrations in their own folder. */
function connectWithMigrations(folder: string, migrations: Readonly<Record<string, string>>): void {
  const changed = SERVER_MODULES.map((module) => {
    if (!['trainings', 'budgets'].includes(module.name)) return module
    const own = join(folder, module.name)
    mkdirSync(join(own, 'migrations'), { recursive: true })
    cpSync(module.tables!.sql!, join(own, 'tables.sql'))
    for (const [name, text] of Object.entries(migrations))
      if (name.startsWith(`${module.name}/`)) writeFileSync(join(own, 'migrations', basename(name)), text)
    return { ...module, tables: { ...module.tables, sql: pathToFileURL(join(own, 'tables.sql')) } }
  })
  connectModules(changed)
}

const OF_1_1 = {
  'trainings/0001-rooms.sql': `alter table training add column room text; update training set room = name`,
  'budgets/0002-note.sql': `alter table budget add column note text`,
}
const OF_1_2 = {
  ...OF_1_1,
  // The number is higher than that of the migration of another module on which it relies.
  'budgets/0003-room.sql': `alter table budget add column room text;
    update budget set room = (select room || '!' from training where training.id = training_id)`,
  'trainings/0004-no-rooms.sql': `alter table training drop column room`,
}

test('a version that was skipped changes nothing: from 1.0.0 to 1.2.0, by way of 1.1.0 or new, the tables are the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-migrations-'))
  const others = [
    database,
    await createEmptyDatabase(inject('testCluster')),
    await createEmptyDatabase(inject('testCluster')),
  ]
  const dbs = others.map(({ url }) => connect({ connectionString: url }, { size: 1, as: 'owner' }))
  const [skipping, stepwise, fresh] = dbs as [Db, Db, Db]
  try {
    await migrateAll(skipping)
    await migrateAll(stepwise)
    await sql`insert into organisation (name) values ('Acme')`.execute(skipping)
    await sql`insert into training (organisation_id, name) select id, 'Linux' from organisation`.execute(skipping)
    await sql`insert into budget (organisation_id, training_id, amount_paise, spending_cap, set_by)
      select organisation_id, id, 100, false, 'x' from training`.execute(skipping)
    connectWithMigrations(join(folder, '1.1'), OF_1_1)
    await createTables(stepwise)
    connectWithMigrations(join(folder, '1.2'), OF_1_2)
    expect((await missingTables(skipping)).filter((name) => name.includes('/'))).toEqual([
      'trainings/0001-rooms',
      'budgets/0002-note',
      'budgets/0003-room',
      'trainings/0004-no-rooms',
    ])
    for (const db of dbs) await createTables(db)
    const columns = await Promise.all(
      dbs.map(async (db) => {
        const { rows } = await sql`
          select table_name, column_name, ordinal_position, data_type, column_default, is_nullable
          from information_schema.columns where table_schema = 'public' order by 1, 3`.execute(db)
        return rows
      }),
    )
    expect(columns[0]).toEqual(columns[1])
    expect(columns[0]).toEqual(columns[2])
    const { rows } = await sql`select note, room from budget`.execute(skipping)
    expect(rows).toEqual([{ note: null, room: 'Linux!' }])
    connectAll()
    await expect(createTables(fresh)).rejects.toThrow(
      'The database is newer than this program: it has the tables of budgets/0002-note, budgets/0003-room, ' +
        'trainings/0001-rooms, trainings/0004-no-rooms, which',
    )
  } finally {
    connectAll()
    await Promise.all(dbs.map((db) => db.destroy()))
    for (const { drop } of others.slice(1)) await drop()
    removeFolder(folder)
  }
})

test('a migration that fails, or that was changed after its release, changes nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-migrations-'))
  const [owner] = owners as [Db]
  try {
    await migrateAll(owner)
    connectWithMigrations(join(folder, 'bad'), {
      ...OF_1_1,
      'budgets/0003-bad.sql': 'alter table nowhere add column x text',
    })
    await expect(createTables(owner)).rejects.toThrow('relation "nowhere" does not exist')
    expect(await missingTables(owner)).toHaveLength(3)
    connectWithMigrations(join(folder, 'good'), OF_1_1)
    await createTables(owner)
    connectWithMigrations(join(folder, 'changed'), { ...OF_1_1, 'budgets/0002-note.sql': 'select 1' })
    await expect(createTables(owner)).rejects.toThrow('made by an unreleased version')
    connectWithMigrations(join(folder, 'named'), { 'budgets/note.sql': 'select 1' })
    await expect(createTables(owner)).rejects.toThrow('budgets/migrations/note.sql: the name must be like')
  } finally {
    connectAll()
    removeFolder(folder)
  }
})
