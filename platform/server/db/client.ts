import type { Duplex } from 'node:stream'
import pg from 'pg'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { productVersion } from '../config/config.ts'
import { nameStatements, StatementNames } from './named-statements.ts'
import type { Db, Schema, Tx } from './schema.ts'

/** Address of the database, or its parts. */
export interface Connection {
  readonly connectionString?: string
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly database?: string
  readonly password?: string
}

const types = new pg.TypeOverrides()
// DATE stays a text without a zone. int8 becomes a number if a number can represent the value exactly.
types.setTypeParser(pg.types.builtins.DATE, (text) => text)
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} does not fit a number`)
  return number
})

/** Tells an upgrade which versions are connected. */
const APPLICATION_NAME = `trainyard ${productVersion()}`

const pools = new WeakMap<Db, pg.Pool>()
const clientFactories = new WeakMap<Db, () => pg.Client>()

export const poolOf = (db: Db): pg.Pool | null => pools.get(db) ?? null

export const newClientOf = (db: Db): pg.Client => clientFactories.get(db)!()

/** Maximum seconds of a statement, of waiting for a lock, and of a transaction between two statements. */
export interface TimeLimits {
  readonly statement: number
  readonly lock: number
  readonly idleInTransaction: number
}

/**
 * Time limits of the app's role. They apply to background work, and to sessions behind a pooler that ignores the limits
 * of the process.
 */
export const ROLE_LIMITS: TimeLimits = { statement: 600, lock: 60, idleInTransaction: 60 }

/** Returns PostgreSQL's settings for time limits, in milliseconds. */
export const timeoutSettings = ({ statement, lock, idleInTransaction }: TimeLimits): Record<string, number> => ({
  statement_timeout: statement * 1_000,
  lock_timeout: lock * 1_000,
  idle_in_transaction_session_timeout: idleInTransaction * 1_000,
})

const optionsOf = (limits: TimeLimits): string =>
  // Just-in-time compilation is off, because compiling a query would take longer than running the query.
  [
    '-c jit=off',
    `-c client_connection_check_interval=${CHECK_CONNECTION_MS}`,
    ...Object.entries(timeoutSettings(limits)).map(([name, value]) => `-c ${name}=${value}`),
  ].join(' ')

/** Maximum milliseconds to wait for a free connection. The same limit applies to opening a connection. */
const CONNECTION_MS = 5_000

/** Milliseconds after which PostgreSQL notices that the connection of a running query is closed. */
const CHECK_CONNECTION_MS = 1_000

/**
 * Factor between the time limit in PostgreSQL and the limit in the process. PostgreSQL's limit is shorter and normally
 * ends the query first.
 */
const SILENCE_FACTOR = 1.25

/**
 * Closes a connection whose query is not answered within `ms`. No error is reported if a host loses power or a firewall
 * drops the connection, so the query would otherwise wait as long as its client.
 */
function closeIfSilent(client: pg.ClientBase, ms: number): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  client.query = ((...args: unknown[]) => {
    const result = query(...args)
    if (!(result instanceof Promise)) return result
    const timer = setTimeout(() => {
      stream.destroy(new Error('Connection terminated because the database did not answer in time'))
    }, ms)
    return result.finally(() => clearTimeout(timer))
  }) as typeof client.query
}

export interface ConnectOptions {
  readonly size: number
  /** `owner` is for migrations only: connections of the owner have no time limits. */
  readonly as: 'app' | 'owner'
  /** Time limits of the app's sessions. */
  readonly limits?: TimeLimits
  /** Rejects a new connection before its first use. */
  readonly verify?: (client: pg.ClientBase) => Promise<void>
  /** True: connections that are not used stay open. */
  readonly lasting?: boolean
}

/** Creates a pool of connections. */
export function connect(connection: Connection, options: ConnectOptions): Db {
  const { limits = ROLE_LIMITS, verify } = options
  const pool = new pg.Pool({
    ...connection,
    types,
    max: options.size,
    connectionTimeoutMillis: CONNECTION_MS,
    idleTimeoutMillis: options.lasting === true ? 0 : 30_000,
    keepAlive: options.lasting === true,
    keepAliveInitialDelayMillis: 30_000,
    ...(verify && { verify: (client, report) => void verify(client).then(() => report(), report) }),
    ...(options.as === 'app' ? { options: optionsOf(limits), application_name: APPLICATION_NAME } : {}),
  })
  // The pool replaces a broken connection. Without a listener the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  if (options.as === 'app') {
    const names = new StatementNames()
    pool.on('connect', (client) => {
      closeIfSilent(client, limits.statement * 1_000 * SILENCE_FACTOR)
      nameStatements(client, names)
    })
  }
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  const name = options.as === 'app' ? { application_name: APPLICATION_NAME } : {}
  clientFactories.set(db, () => new pg.Client({ ...connection, ...name, connectionTimeoutMillis: CONNECTION_MS }))
  return db
}

/** Opens a connection, runs `callback` and closes the connection. */
export async function withConnection<T>(
  connection: Connection,
  options: ConnectOptions,
  callback: (db: Db) => Promise<T>,
): Promise<T> {
  const db = connect(connection, options)
  try {
    return await callback(db)
  } finally {
    await db.destroy()
  }
}

/** Waits until no other transaction holds the lock of this name, and holds it until this transaction ends. */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx)
}

/** Returns the time of the database's clock, so that all processes agree. */
export async function portalNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select portal_now() as now`.execute(db)
  return rows[0]!.now
}
