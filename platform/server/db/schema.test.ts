import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedDatabase } from '../../test/shared.ts'

const { db } = await sharedDatabase({ size: 1 })

test('no index uses GiST (docs/decisions/04-database.md)', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_am on pg_am.oid = c.relam
      join pg_namespace n on n.oid = c.relnamespace where amname = 'gist' and nspname = 'public'`.execute(db)
  expect(rows).toEqual([])
})
