import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createEmptyDatabase } from '#test/database.ts'
import { migrateAll } from '../start/migrate-database.ts'
import { until } from '../start/test-run.ts'
import { awaitDatabase } from './await-database.ts'
import { connect } from './client.ts'
import { migratorOf, pendingMigrations } from './migrate.ts'
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
  for (const owner of owners) expect(await pendingMigrations(owner)).toEqual([])
})

test('refuses a database that is newer than the program', async () => {
  const [owner, other] = owners as [Db, Db]
  await migrateAll(owner)
  await sql`insert into kysely_migration values ('999-of-tomorrow', '2030-01-01T00:00:00Z')`.execute(owner)
  await expect(migrateAll(other)).rejects.toThrow(
    /^The database is newer than this program: it has the migrations 999-of-tomorrow, /,
  )
})

test('makes connections of the app wait for the grants, the last step of a migration', async () => {
  const messages: string[] = []
  const stopping = new AbortController()
  const [owner] = owners
  const app = connect({ connectionString: urlAs(database.url, appLoginOf(database.url)) }, { size: 1, as: 'app' })
  try {
    await migratorOf(owner!).migrateToLatest()
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

test('lists every file of the folder as a migration, and keeps the names of released migrations', async () => {
  const [owner] = owners
  const names = (await migratorOf(owner!).getMigrations()).map(({ name }) => name)
  const files = await readdir(path.join(import.meta.dirname, 'migrations'))
  expect(names.map((name) => `${name}.ts`)).toEqual(files.toSorted())
  expect(names).toEqual(expect.arrayContaining(RELEASED))
})

/** Databases record executed migrations by these names. */
const RELEASED = ['001-baseline']
