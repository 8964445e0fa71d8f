import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { connectedModules } from '../core/events.ts'
import { grantAppAccess } from './app-access.ts'
import { newClientOf } from './client.ts'
import { APP_ROLE, type Login } from './roles.ts'
import type { Db, Tx } from './schema.ts'
import { refuseSharedDatabaseSessions } from './shared-database-sessions.ts'

class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
}

class UnreleasedDatabase extends Error {
  override readonly name = 'UnreleasedDatabase'
}

/**
 * Creates the tables of all modules in an empty database, and grants the app access to them. Several processes can
 * call this function concurrently.
 * @throws NewerDatabase
 * @throws UnreleasedDatabase if the tables are those of a version before the first release. Nothing is changed
 */
export async function migrate(
  owner: Db,
  installQueues: (owner: Db) => Promise<void>,
  app: Login = { role: APP_ROLE, password: null },
): Promise<void> {
  await refuseSharedDatabaseSessions(() => newClientOf(owner))
  await owner.connection().execute(async (db) => {
    // Two transactions that create the job queues concurrently would abort each other.
    await sql`select pg_advisory_lock(hashtext('trainyard migrations'))`.execute(db)
    try {
      // While a statement waits for a lock, all calls wait behind it. A short limit makes the migration give up soon.
      await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, false)`.execute(db)
      await createTables(db)
      await installQueues(db)
      await grantAppAccess(db, app)
    } finally {
      await sql`select set_config('lock_timeout', '0', false)`.execute(db)
      await sql`select pg_advisory_unlock(hashtext('trainyard migrations'))`.execute(db)
    }
  })
}

const LOCK_TIMEOUT = '1s'

/** Creates what is missing of the tables, without the job queues and the grants. */
export async function createTables(db: Db): Promise<void> {
  const areas = connectedAreas()
  const applied = await appliedAreas(db)
  const unknown = applied.filter((area) => !areas.has(area))
  if (unknown.length > 0) {
    throw new NewerDatabase(
      `The database is newer than this program: it has the tables of ${unknown.join(', ')}, which this version does not ` +
        'know or was built without. Start the version that the database belongs to, or restore the backup made before the upgrade.',
    )
  }
  const missing = [...areas].filter(([area]) => !applied.includes(area))
  if (missing.length > 0) await db.transaction().execute((tx) => applyAreas(tx, missing))
}

async function applyAreas(tx: Tx, areas: readonly (readonly [name: string, text: string])[]): Promise<void> {
  // A function can name tables of a later file.
  await sql`set local check_function_bodies = off`.execute(tx)
  await sql`
    create table if not exists applied_area (
      name text primary key,
      -- SHA-256 of the file. Until the first release a changed file means another database.
      digest text not null,
      applied_at timestamptz not null default now()
    )`.execute(tx)
  for (const [name, text] of areas) {
    await sql.raw(text).execute(tx)
    await sql`insert into applied_area (name, digest) values (${name}, ${digestOf(text)})`.execute(tx)
  }
}

/** Returns the statements of each module that has tables, in the order of the modules. */
const connectedAreas = (): ReadonlyMap<string, string> =>
  new Map(
    connectedModules().flatMap(({ name, tables }) =>
      name === undefined || tables?.sql === undefined ? [] : [[name, readFileSync(tables.sql, 'utf8')] as const],
    ),
  )

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns the digest of the tables of each module. */
export const tableDigests = (): Readonly<Record<string, string>> =>
  Object.fromEntries([...connectedAreas()].map(([name, text]) => [name, digestOf(text)]))

/** Returns the names of the modules whose tables the database does not have. */
export async function missingTables(db: Db): Promise<string[]> {
  const applied = await appliedAreas(db)
  return [...connectedAreas().keys()].filter((area) => !applied.includes(area))
}

async function appliedAreas(db: Db): Promise<string[]> {
  const { rows: found } = await sql<{ applied: string | null; unreleased: string | null }>`
    select to_regclass('applied_area')::text as applied, to_regclass('kysely_migration')::text as unreleased`.execute(
    db,
  )
  const { applied, unreleased } = found[0]!
  const refusal = new UnreleasedDatabase(
    'This data folder was made by an unreleased version. Start with an empty folder.',
  )
  if (unreleased !== null) throw refusal
  if (applied === null) return []
  // A table of an earlier version has no digests.
  const { rows } = await sql<{ name: string; digest: string | null }>`
    select name, to_jsonb(applied_area)->>'digest' as digest from applied_area order by name`.execute(db)
  const areas = connectedAreas()
  if (rows.some(({ name, digest }) => areas.has(name) && digest !== digestOf(areas.get(name)!))) throw refusal
  return rows.map(({ name }) => name)
}
