import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { type Pooler, startPooler, whyNoPooler } from '../../test/pooler.ts'
import { migrateAll } from '@trainyard/server/start/migrate-database.ts'
import { awaitDatabase } from './await-database.ts'
import { connect } from './client.ts'

const reason = whyNoPooler()
const REFUSED = /^A pooler between the portal and PostgreSQL assigns sessions per transaction/

let database: TestDatabase
let pooler: Pooler | null = null
beforeAll(async () => {
  database = await createTestDatabase(inject('testCluster'))
})
afterEach(async () => {
  await pooler?.stop()
  pooler = null
})
afterAll(() => database.drop())

async function keepsSessionState(mode: 'session' | 'transaction'): Promise<boolean> {
  pooler = await startPooler(database.url, mode)
  const app = connect({ connectionString: pooler.url }, { size: 2, as: 'app' })
  const owner = connect({ connectionString: pooler.url }, { size: 1, as: 'owner' })
  try {
    await migrateAll(owner)
    return await awaitDatabase(app, { logMessage: () => {}, signal: new AbortController().signal })
  } finally {
    await Promise.all([app.destroy(), owner.destroy()])
  }
}

test('accepts direct connections to PostgreSQL', async () => {
  const db = connect({ connectionString: database.url }, { size: 1, as: 'app' })
  expect(await awaitDatabase(db, { logMessage: () => {}, signal: new AbortController().signal })).toBe(false)
  await db.destroy()
})

test.skipIf(reason !== null)(`accepts PgBouncer’s session mode${reason === null ? '' : ` (${reason})`}`, async () => {
  expect(await keepsSessionState('session')).toBe(false)
})

test.skipIf(reason !== null)(
  `migrations and processes of the portal refuse PgBouncer’s transaction mode${reason === null ? '' : ` (${reason})`}`,
  async () => {
    await expect(keepsSessionState('transaction')).rejects.toThrow(REFUSED)
    const app = connect({ connectionString: pooler!.url }, { size: 2, as: 'app' })
    const waiting = { logMessage: () => {}, signal: new AbortController().signal }
    await expect(awaitDatabase(app, waiting)).rejects.toThrow(REFUSED)
    await app.destroy()
  },
)
