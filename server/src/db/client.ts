import pg from 'pg'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Connection, dialOptionsOf } from './dial-options.ts'
import type { Db, Schema } from './schema.ts'

const types = new pg.TypeOverrides()
// DATE stays a text without a zone. int8 becomes a number if the number is exact.
types.setTypeParser(pg.types.builtins.DATE, (text) => text)
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} does not fit a number`)
  return number
})

const pools = new WeakMap<Db, pg.Pool>()
const clientFactories = new WeakMap<Db, () => pg.Client>()

export const poolOf = (db: Db): pg.Pool | null => pools.get(db) ?? null

export const newClientOf = (db: Db): pg.Client => clientFactories.get(db)!()

/** `owner` is for migrations only. */
export function connect(connection: Connection, options: { size: number; as: 'app' | 'owner' }): Db {
  const { Client, connection: address, findMillis } = dialOptionsOf(connection)
  const pool = new pg.Pool({
    ...address,
    Client,
    types,
    max: options.size,
    connectionTimeoutMillis: 5_000 + findMillis,
    idleTimeoutMillis: 30_000,
    // Compiling a query would take longer than any of our queries.
    ...(options.as === 'app' ? { options: '-c jit=off' } : {}),
  })
  // The pool replaces a broken connection. Without a listener the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  clientFactories.set(db, () => new Client({ ...address, connectionTimeoutMillis: 5_000 }))
  return db
}

/** By the database's clock, so that all processes agree. */
export async function portalNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select portal_now() as now`.execute(db)
  return rows[0]!.now
}
