import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Db } from '../src/db/schema.ts'

/** The SQL statements of each migration of version 0.1.0, recorded from the migrations of commit 38e79265. */
const STATEMENTS = JSON.parse(
  brotliDecompressSync(readFileSync(new URL('version-0-1.json.br', import.meta.url))).toString(),
) as Record<string, string[]>

/**
 * Brings a database to version 0.1.0, or to an earlier one.
 * @param last name of the last migration; by default all run
 */
export async function migrateTo01(owner: Db, last = Object.keys(STATEMENTS).at(-1)!): Promise<void> {
  const migrations = Object.entries(STATEMENTS).map(([name, statements]) => [
    name,
    {
      async up(db: Db) {
        for (const statement of statements) await sql.raw(statement).execute(db)
      },
    },
  ])
  const migrator = new Migrator({
    db: owner,
    provider: { getMigrations: () => Promise.resolve(Object.fromEntries(migrations)) },
    allowUnorderedMigrations: true,
  })
  const { error } = await migrator.migrateTo(last)
  if (error !== undefined) throw error
}
