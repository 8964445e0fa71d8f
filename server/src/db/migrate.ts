import fs from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import { letAppIn } from './app-access.ts'
import { spareClient } from './client.ts'
import { installJobs } from '../jobs/job-tables.ts'
import { NewerDatabase } from './newer-database.ts'
import { APP_ROLE, type Login } from './roles.ts'
import type { Db } from './schema.ts'
import { refuseSharedSessions } from './shared-sessions.ts'

/** A migration is a file of this folder, named as it is; nothing else stands there. */
const migrations = new FileMigrationProvider({
  fs,
  path,
  migrationFolder: path.join(import.meta.dirname, 'migrations'),
  import: (file) => import(pathToFileURL(file).href),
})

/**
 * Brings the database to this version. Any number of processes may do so at once.
 * @param app what API and worker log in as; a role of another name is the operator's own, and its password theirs to set
 */
export async function migrate(owner: Db, app: Login = { role: APP_ROLE, password: null }): Promise<void> {
  await refuseSharedSessions(() => spareClient(owner))
  await owner.connection().execute(async (db) => {
    // Each step takes turns by itself, but for the making of the jobs' queues: its loser's transaction is aborted.
    await sql`select pg_advisory_lock(hashtext('trainyard migrations'))`.execute(db)
    try {
      await refuseNewer(db)
      // A migration that can't have its lock soon gives way: calls would wait behind it as long as it waits itself.
      await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, false)`.execute(db)
      const { error } = await migratorOf(db).migrateToLatest()
      if (error !== undefined) throw error
      await installJobs(db)
      await letAppIn(db, app)
    } finally {
      await sql`select set_config('lock_timeout', '0', false)`.execute(db)
      await sql`select pg_advisory_unlock(hashtext('trainyard migrations'))`.execute(db)
    }
  })
}

const LOCK_TIMEOUT = '1s'

async function refuseNewer(db: Db): Promise<void> {
  const { rows: there } = await sql<{ found: string | null }>`
    select to_regclass('kysely_migration')::text as found`.execute(db)
  if (there[0]!.found === null) return
  const known = new Set(Object.keys(await migrations.getMigrations()))
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const unknown = rows.map(({ name }) => name).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new NewerDatabase(
    `The database is newer than this program: it has seen ${unknown.join(', ')}, which this version does not know. ` +
      'Start the version that it belongs to, or restore the backup that was made before the upgrade.',
  )
}

/** Names of the migrations that the database has not seen; asking changes nothing. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const known = await migratorOf(db).getMigrations()
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}

/** All migrations, in their order, of this database; tests go as far as they want. */
export const migratorOf = (db: Db): Migrator =>
  new Migrator({
    db,
    provider: migrations,
    // Parts of the portal number their migrations in ranges of their own: one may come after a higher number.
    allowUnorderedMigrations: true,
  })
