import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedDatabase } from '#test/shared.ts'
import { jobDatabase } from './job-tables.ts'

const { db } = await sharedDatabase({ size: 1 })

test('a transaction of the queue’s that fails half-way leaves no session in it for the next one', async () => {
  await expect(jobDatabase(db).executeSql('begin; select 1 / 0; commit;')).rejects.toThrow('division by zero')
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db)
  expect(rows).toEqual([{ one: 1 }])
})
