import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { connect } from './client.ts'
import { createTestDatabase } from '../../test/database.ts'

test('a connection that breaks between two queries fails only its own transaction', async () => {
  const database = await createTestDatabase(inject('testCluster'))
  const db = connect({ connectionString: database.url }, { size: 1, as: 'app' })
  const owner = connect({ connectionString: database.url }, { size: 1, as: 'owner' })
  // An error event without a listener would end the process, in this case the test.
  const uncaught: unknown[] = []
  const collectError = (error: unknown) => uncaught.push(error)
  process.prependListener('uncaughtException', collectError)
  try {
    const broken = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(owner)
      await sql`select 1`.execute(tx)
    })
    await expect(broken).rejects.toThrow(/terminat|connection/i)
    expect((await sql`select 2 as two`.execute(db)).rows).toEqual([{ two: 2 }])
    expect(uncaught).toEqual([])
  } finally {
    process.removeListener('uncaughtException', collectError)
    await db.destroy()
    await owner.destroy()
    await database.drop()
  }
})

test("does not weaken PostgreSQL's commit guarantees", async () => {
  const database = await createTestDatabase(inject('testCluster'))
  try {
    for (const as of ['app', 'owner'] as const) {
      const db = connect({ connectionString: database.url }, { size: 1, as })
      // The operator controls the settings of the server. The portal could only change the settings of a session, a
      // role or a database.
      const { rows } = await sql<{ name: string }>`
        select name from pg_settings
        where name in ('synchronous_commit', 'fsync', 'full_page_writes', 'default_transaction_isolation')
          and source in ('client', 'session', 'user', 'database', 'database user', 'override')`.execute(db)
      await db.destroy()
      expect(rows).toEqual([])
    }
  } finally {
    await database.drop()
  }
})
