import type { Compilable, CompiledQuery } from 'kysely'
import { poolOf } from './client.ts'
import type { Db } from './schema.ts'

/** Placeholder for the value while the query is compiled. */
const VALUE = Buffer.from('the value')

/**
 * Returns a query that is compiled once per process and prepared once per connection. List its columns: `select *`
 * would fail on open connections when another process migrates.
 * @param name unique among all prepared statements
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

/**
 * Runs a query as a prepared statement, which is planned once per connection. List its columns, as for
 * `preparedStatement`.
 * @param name unique among all prepared statements
 */
export async function runPrepared<Row>(db: Db, name: string, query: CompiledQuery<Row>): Promise<Row[]> {
  const pool = poolOf(db)
  if (pool === null) return (await db.executeQuery(query)).rows
  const { rows } = await pool.query({ name, text: query.sql, values: [...query.parameters] })
  return rows as Row[]
}
