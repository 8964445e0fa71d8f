import pg from 'pg'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Connection, dialling } from './dial.ts'
import type { Db, Schema } from './schema.ts'

const types = new pg.TypeOverrides()
// DATE stays the day it is; int8 becomes a number as long as it is one exactly.
types.setTypeParser(pg.types.builtins.DATE, (text) => text)
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} does not fit a number`)
  return number
})

const pools = new WeakMap<Db, pg.Pool>()
const spares = new WeakMap<Db, () => pg.Client>()

/** The pool beneath a database that `connect` made. */
export const poolOf = (db: Db): pg.Pool | null => pools.get(db) ?? null

/** A connection of its own to where the pool's lead, not made yet. */
export const spareClient = (db: Db): pg.Client => spares.get(db)!()

/** A pool of connections; those of `owner` are for migrations only. */
export function connect(connection: Connection, options: { size: number; as: 'app' | 'owner' }): Db {
  const { Client, connection: address, findMillis } = dialling(connection)
  const pool = new pg.Pool({
    ...address,
    Client,
    types,
    max: options.size,
    connectionTimeoutMillis: 5_000 + findMillis,
    idleTimeoutMillis: 30_000,
    // Compiling a query takes longer than any of ours: jit stays out, where the server has it.
    ...(options.as === 'app' ? { options: '-c jit=off' } : {}),
  })
  // A connection that breaks is replaced by the pool, and who holds it is told by their next query. Without a listener
  // it would end the process: the pool's own hears of idle ones alone, not of one held between two queries.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  spares.set(db, () => new Client({ ...address, connectionTimeoutMillis: 5_000 }))
  return db
}

/** Returns the time of the portal's clock: the database's, so that all processes agree. */
export async function portalNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select portal_now() as now`.execute(db)
  return rows[0]!.now
}
