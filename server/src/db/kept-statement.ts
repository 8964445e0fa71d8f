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
    const pool = poolOf(db)
    if (pool === null) {
      const asked: CompiledQuery<Row> = { ...compiled, parameters: values }
      return (await db.executeQuery(asked)).rows[0]
    }
    const { rows } = await pool.query({ name, text: compiled.sql, values })
    return rows[0] as Row | undefined
  }
}
