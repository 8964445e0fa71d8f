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

test('who logs in as the app waits until the grants, which come last, are there', async () => {
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
