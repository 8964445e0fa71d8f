import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { until } from '../start/test-run.ts'
import { awaitDatabase } from './await-database.ts'
import { connect } from './client.ts'
import { createEmptyDatabase } from '#test/database.ts'
import { migrate, migratorOf, pendingMigrations } from './migrate.ts'
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

test('any number of processes bring an empty database to this version at once, and none fails', async () => {
  await Promise.all(owners.map((owner) => migrate(owner)))
  for (const owner of owners) expect(await pendingMigrations(owner)).toEqual([])
})

test('a database newer than the program is refused in a sentence, and left as it is', async () => {
  const [owner, other] = owners as [Db, Db]
  await migrate(owner)
  await sql`insert into kysely_migration values ('999-of-tomorrow', '2030-01-01T00:00:00Z')`.execute(owner)
  await expect(migrate(other)).rejects.toThrow(/^The database is newer than this program: it has seen 999-of-tomorrow/)
})

test('a migration that can’t have its lock gives way within a second or two', async () => {
  const [owner, other] = owners as [Db, Db]
  await migratorOf(owner).migrateTo('078-names-and-revisions')
  const began = performance.now()
  await other.transaction().execute(async (tx) => {
    await sql`lock table task in access share mode`.execute(tx)
    await expect(migrate(owner)).rejects.toThrow(/lock timeout/)
  })
  expect(performance.now() - began).toBeLessThan(5_000)
  await migrate(owner)
  expect(await pendingMigrations(owner)).toEqual([])
})

test('a login as the app waits until the grants, which come last, are there', async () => {
  const said: string[] = []
  const stopping = new AbortController()
  const [owner] = owners
  const app = connect({ connectionString: urlAs(database.url, appLoginOf(database.url)) }, { size: 1, as: 'app' })
  try {
    await migratorOf(owner!).migrateToLatest()
    const waited = awaitDatabase(app, { say: (sentence) => said.push(sentence), signal: stopping.signal })
    await until('it is told why', () => said.at(-1)?.includes('npm run migrate') ?? false)
    await migrate(owner!)
    expect(await waited).toBe(true)
    expect(said.at(-1)).toBe('The database answers.')
  } finally {
    stopping.abort()
    await app.destroy()
  }
})

test('every file of the folder is a migration, and those that were released keep their names', async () => {
  const [owner] = owners
  const names = (await migratorOf(owner!).getMigrations()).map(({ name }) => name)
  const files = await readdir(path.join(import.meta.dirname, 'migrations'))
  expect(names.map((name) => `${name}.ts`)).toEqual(files.toSorted())
  expect(names).toEqual(expect.arrayContaining(RELEASED))
})

/** A name is the key under which a database remembers that it has seen the migration. */
const RELEASED = `001-foundation 002-machines 003-invitations 010-reconciler
  020-operations 021-port-rules 022-schedule-outcomes 023-security-group-queue
  030-azure-sandboxes 031-aws-sandboxes 032-remote-access 033-pacing
  034-preflight 040-ledger 041-payments 042-search
  044-ledger-balance 045-metering 046-snapshots 047-removed-trainings
  048-counts 049-account-index 050-learners-machines 051-refused
  052-not-priced 055-settled-and-failing 056-clock 060-definers
  061-login-lanes 062-credited-payments 065-sandbox-credits 066-tasks
  068-words`.split(/\s+/)
