import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedDatabase } from '../../../test/shared.ts'
import { connect } from '../../db/client.ts'
import { jobDatabase, jobDatabaseOutsidePool } from './job-tables.ts'
import { isDatabaseLost } from '../../db/lost.ts'

const { db, url } = await sharedDatabase({ size: 1 })

test('a failed query of the queue with several statements leaves no open transaction in the pool', async () => {
  await expect(jobDatabase(db).executeSql('begin; select 1 / 0; commit;')).rejects.toThrow('division by zero')
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db)
  expect(rows).toEqual([{ one: 1 }])
})

test('outside the pool, a database that does not respond counts as lost', { tags: ['storm'] }, async () => {
  const silentServer = createServer().listen(0, '127.0.0.1')
  await once(silentServer, 'listening')
  const { port } = silentServer.address() as AddressInfo
  const unreachable = connect(
    { connectionString: `postgres://nobody@127.0.0.1:${port}/nothing` },
    { size: 1, as: 'app' },
  )
  const thrown = await jobDatabaseOutsidePool(unreachable)
    .executeSql('select 1')
    .catch((error: unknown) => error)
  expect([thrown, isDatabaseLost(thrown)]).toEqual([expect.any(Error), true])
  await unreachable.destroy()
  silentServer.close()
})

test('outside the pool, refuses queries once the pool is closed', async () => {
  const own = connect({ connectionString: url }, { size: 1, as: 'app' })
  await sql`select 1`.execute(own)
  expect((await jobDatabaseOutsidePool(own).executeSql('select 1 as one')).rows).toEqual([{ one: 1 }])
  await own.destroy()
  await expect(jobDatabaseOutsidePool(own).executeSql('select 1')).rejects.toThrow('closed')
})
