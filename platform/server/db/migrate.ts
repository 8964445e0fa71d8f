import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { sql } from 'kysely'
import { productVersion } from '../config/config.ts'
import { connectedModules } from '../core/events.ts'
import { grantAccess, grantAppAccess } from './app-access.ts'
import { newClientOf } from './client.ts'
import type { Login } from './roles.ts'
import type { Db, Tx } from './schema.ts'
import { readInstalled, writeInstalled } from './upgrade.ts'
import { refuseSharedDatabaseSessions } from './shared-database-sessions.ts'

/** PostgreSQL's code of a server that rejects a connection. */
const REJECTED = '08004'

/** The database has tables of a later version. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
  /** Set if the tables were found when a connection was opened. */
  code?: string
}

/** The database has tables of an earlier version. */
export class OlderTables extends Error {
  override readonly name = 'OlderTables'
  readonly code = REJECTED

  constructor() {
    super('it has the tables of an older version: npm run upgrade')
  }
}

class UnreleasedDatabase extends Error {
  override readonly name = 'UnreleasedDatabase'
}

export interface Migration {
  readonly app: Login
  readonly installQueues: (owner: Db) => Promise<void>
  /** See `createTables`. */
  readonly verify?: ((tx: Tx) => Promise<void>) | undefined
  /** Runs at the end of the transaction that grants the access. */
  readonly granted?: ((tx: Tx) => Promise<void>) | undefined
}

/**
 * Creates what is missing of the tables of all modules, and grants the app access to them. Several processes can call
 * this function concurrently.
 * @throws NewerDatabase
 * @throws UnreleasedDatabase if the tables are those of a version before the first release. Nothing is changed
 */
export async function migrate(owner: Db, { app, installQueues, verify, granted }: Migration): Promise<void> {
  await refuseSharedDatabaseSessions(() => newClientOf(owner))
  await owner.connection().execute(async (db) => {
    // Two transactions that create the job queues concurrently would abort each other.
    await sql`select pg_advisory_lock(hashtext('trainyard migrations'))`.execute(db)
    try {
      // While a statement waits for a lock, all calls wait behind it. A short limit makes the migration give up soon.
      await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, false)`.execute(db)
      await createTables(db, undefined, verify)
      await installQueues(db)
      await grantAppAccess(db, app, granted ?? recordVersion)
    } catch (error) {
      // The job queue sends its migration as one text with its own transaction, which remains open if it fails.
      await sql`rollback`.execute(db)
      throw error
    } finally {
      await sql`select set_config('lock_timeout', '0', false)`.execute(db)
      await sql`select pg_advisory_unlock(hashtext('trainyard migrations'))`.execute(db)
    }
  })
}

/** Records which version created the database. */
async function recordVersion(tx: Tx): Promise<void> {
  if ((await readInstalled(tx)) === null) await writeInstalled(tx, { version: productVersion(), upgrade: null })
}

const LOCK_TIMEOUT = '1s'

/**
 * Creates what is missing of the tables, without the job queues and the grants.
 * @param only names of the steps to apply, for the tables of an earlier version. Default: all
 * @param verify runs in the transaction of the steps, which are undone if it throws
 */
export async function createTables(
  db: Db,
  only?: readonly string[],
  verify?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { missing } = await compareTables(db)
  const steps = missing.filter(({ name }) => only === undefined || only.includes(name))
  if (steps.length === 0 && verify === undefined) return
  await db.transaction().execute(async (tx) => {
    await applySteps(tx, steps)
    await verify?.(tx)
  })
}

/** Creates all tables and roles in an empty database, and takes them back. Throws what a migration would throw. */
export async function rehearseMigration(owner: Db, app: Login): Promise<void> {
  const tx = await owner.startTransaction().execute()
  try {
    await sql`create schema if not exists installation; create schema if not exists pgboss`.execute(tx)
    await applySteps(tx, connectedSteps())
    await grantAccess(tx, app)
  } finally {
    await tx.rollback().execute()
  }
}

interface Step {
  /** Name of the module, for a migration with that of the file: `trainings/0001-rooms`. */
  readonly name: string
  readonly text: string
  readonly digest: string
}

const stepOf = (name: string, file: URL): Step => {
  const text = readFileSync(file, 'utf8')
  return { name, text, digest: createHash('sha256').update(text).digest('hex') }
}

async function applySteps(tx: Tx, steps: readonly Step[]): Promise<void> {
  // A function can name tables of a later file.
  await sql`set local check_function_bodies = off`.execute(tx)
  await sql`
    create table if not exists applied_area (
      name text primary key,
      -- SHA-256 of the file, which never changes after its release.
      digest text not null,
      applied_at timestamptz not null default now()
    )`.execute(tx)
  for (const { name, text, digest } of steps) {
    await sql.raw(text).execute(tx)
    await sql`insert into applied_area (name, digest) values (${name}, ${digest})`.execute(tx)
  }
}

const MIGRATION = /^(\d{4})-[a-z0-9-]+\.sql$/

/**
 * Returns the files that make the tables, in their order: the tables.sql of all modules, then their migrations by
 * number. A new database runs the same files as an old one, so that both have the same tables.
 */
function connectedSteps(): readonly Step[] {
  const connected = connectedModules()
  if (known?.connected !== connected) known = { connected, steps: stepsOf(connected) }
  return known.steps
}

let known: { readonly connected: unknown; readonly steps: readonly Step[] } | null = null

function stepsOf(connected: ReturnType<typeof connectedModules>): Step[] {
  const modules = connected.flatMap(({ name, tables }) =>
    name === undefined || tables?.sql === undefined ? [] : [{ name, tables: tables.sql }],
  )
  const migrations = modules.flatMap(({ name, tables }) => {
    const folder = new URL('migrations/', tables)
    const files = existsSync(folder) ? readdirSync(folder) : []
    return files.map((file) => {
      const number = MIGRATION.exec(file)?.[1]
      if (number === undefined) throw new Error(`${name}/migrations/${file}: the name must be like 0001-rooms.sql.`)
      return { number, step: stepOf(`${name}/${file.slice(0, -'.sql'.length)}`, new URL(file, folder)) }
    })
  })
  return [
    ...modules.map(({ name, tables }) => stepOf(name, tables)),
    ...migrations.toSorted((one, other) => one.number.localeCompare(other.number)).map(({ step }) => step),
  ]
}

/** Returns the names of all tables and views of this and earlier versions. */
export const ownRelations = (): string[] => [
  'applied_area',
  ...connectedSteps().flatMap(({ text }) =>
    [...text.matchAll(/^create (?:(?:unlogged )?table|(?:materialized )?view)(?: if not exists)? (\w+)/gm)].map(
      ([, name]) => name!,
    ),
  ),
]

/** Returns the digest of each file that makes the tables of this version. */
export const tableDigests = (): Readonly<Record<string, string>> =>
  Object.fromEntries(connectedSteps().map(({ name, digest }) => [name, digest]))

/**
 * Compares the tables of the database with those of this version.
 * @throws NewerDatabase
 * @throws UnreleasedDatabase
 */
export const compareTables = (db: Db): Promise<Compared> =>
  compare(async (text) => (await sql.raw(text).execute(db)).rows)

/**
 * Checks that a new connection finds the tables of this version, or none. Without the check, a program of the old version
 * that connects during or after an upgrade could use the new tables until it notices them.
 * @throws NewerDatabase
 * @throws OlderTables
 */
export async function requireOwnTables(client: pg.ClientBase): Promise<void> {
  const compared = compare(async (text) => (await client.query(text)).rows)
  const { missing, isEmpty } = await compared.catch((error: unknown) => {
    throw error instanceof NewerDatabase ? Object.assign(error, { code: REJECTED }) : error
  })
  if (missing.length > 0 && !isEmpty) throw new OlderTables()
}

interface Compared {
  readonly missing: readonly Step[]
  readonly isEmpty: boolean
}

type Query = (text: string) => Promise<unknown[]>

async function compare(query: Query): Promise<Compared> {
  const steps = connectedSteps()
  const applied = await appliedSteps(query, steps)
  const names = new Set(steps.map(({ name }) => name))
  const unknown = applied.filter((name) => !names.has(name))
  if (unknown.length > 0) throw newerDatabase(unknown)
  return { missing: steps.filter(({ name }) => !applied.includes(name)), isEmpty: applied.length === 0 }
}

const newerDatabase = (steps: readonly string[]): NewerDatabase =>
  new NewerDatabase(
    `The database is newer than this program: it has the tables of ${steps.join(', ')}, which this version does not ` +
      'know or was built without. Start the version that the database belongs to, or restore the backup made before the upgrade.',
  )

/** Returns the names of the steps that the database lacks, which may be newer than this version. */
export async function missingTables(db: Db): Promise<string[]> {
  const steps = connectedSteps()
  const applied = await appliedSteps(async (text) => (await sql.raw(text).execute(db)).rows, steps)
  return steps.map(({ name }) => name).filter((name) => !applied.includes(name))
}

async function appliedSteps(query: Query, steps: readonly Step[]): Promise<string[]> {
  const found = (await query(`
    select to_regclass('applied_area')::text as applied, to_regclass('kysely_migration')::text as unreleased`)) as {
    applied: string | null
    unreleased: string | null
  }[]
  const { applied, unreleased } = found[0]!
  const refusal = new UnreleasedDatabase(
    'This data folder was made by an unreleased version. Start with an empty folder.',
  )
  if (unreleased !== null) throw refusal
  if (applied === null) return []
  // A table of an earlier version has no digests.
  const rows = (await query(`
    select name, to_jsonb(applied_area)->>'digest' as digest from applied_area order by name`)) as {
    name: string
    digest: string | null
  }[]
  const digests = new Map(steps.map(({ name, digest }) => [name, digest]))
  if (rows.some(({ name, digest }) => digests.has(name) && digest !== digests.get(name))) throw refusal
  return rows.map(({ name }) => name)
}
