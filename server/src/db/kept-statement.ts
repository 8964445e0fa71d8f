import type { Compilable, CompiledQuery } from 'kysely'
import { poolOf } from './client.ts'
import type { Db } from './schema.ts'

/** Stands for the value in a query that is compiled before there is one. */
const VALUE = Buffer.from('the value')

/**
 * A query of every call: compiled once a process, and planned once a connection (a prepared statement). It names its
 * columns: `select *` would fail on the connections of a process that runs while another migrates.
 * @param name unlike that of every other one
 */
export function keptStatement<Row>(
  name: string,
  build: (db: Db, value: Buffer) => Compilable<Row>,
): (db: Db, value: Buffer) => Promise<Row | undefined> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, value) => {
    compiled ??= build(db, VALUE).compile()
    const values = compiled.parameters.map((parameter) => (parameter === VALUE ? value : parameter))
    return (await runKept<Row>(db, name, { ...compiled, parameters: values }))[0]
  }
}

/**
 * Runs a query that is planned once a connection (a prepared statement). It names its columns, as a `keptStatement` does.
 * @param name unlike that of every other one
 */
export async function runKept<Row>(db: Db, name: string, query: CompiledQuery<Row>): Promise<Row[]> {
  const pool = poolOf(db)
  if (pool === null) return (await db.executeQuery(query)).rows
  const { rows } = await pool.query({ name, text: query.sql, values: [...query.parameters] })
  return rows as Row[]
}
