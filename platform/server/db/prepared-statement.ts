import type { Compilable, CompiledQuery } from 'kysely'
import { poolOf } from './client.ts'
import type { Db } from './schema.ts'

const VALUE = Buffer.from('the value')

/**
 * Returns a prepared statement. List the columns in `text`: `select *` would fail on open connections after a
 * migration.
 */
export function preparedStatement<Row>(
  name: string,
  build: (db: Db, value: Buffer) => Compilable<Row>,
): (db: Db, value: Buffer) => Promise<Row | undefined> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, value) => {
    compiled ??= build(db, VALUE).compile()
    const values = compiled.parameters.map((parameter) => (parameter === VALUE ? value : parameter))
    return (await runPrepared<Row>(db, name, { ...compiled, parameters: values }))[0]
  }
}

export async function runPrepared<Row>(db: Db, name: string, query: CompiledQuery<Row>): Promise<Row[]> {
  const pool = poolOf(db)
  if (pool === null) return (await db.executeQuery(query)).rows
  const { rows } = await pool.query({ name, text: query.sql, values: [...query.parameters] })
  return rows as Row[]
}
