import { globSync } from 'node:fs'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createEmptyDatabase, createTestDatabase } from '../../test/database.ts'
import { migrateAll } from '@trainyard/server/start/migrate-database.ts'
import { until } from '@trainyard/server/start/test-run.ts'
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
  const files = globSync('{platform,core/*,addons/*}/tables.sql', { cwd: new URL('../../../', import.meta.url) })
  expect(rows.map(({ name }) => name)).toEqual(files.map((file) => file.split('/').at(-2)!).toSorted())
})
