import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { connect } from './client.ts'
import { createTestDatabase } from './embedded/test-database.ts'

test('a connection that dies between two queries of a transaction fails that transaction, and nothing else', async () => {
  const database = await createTestDatabase(inject('testCluster'))
  const db = connect({ connectionString: database.url }, { size: 1, as: 'app' })
  const owner = connect({ connectionString: database.url }, { size: 1, as: 'owner' })
  // An error that nobody listens for ends the process: here it ends the test.
  const uncaught: unknown[] = []
  const hear = (error: unknown) => uncaught.push(error)
  process.prependListener('uncaughtException', hear)
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
    process.removeListener('uncaughtException', hear)
    await db.destroy()
    await owner.destroy()
    await database.drop()
  }
})
