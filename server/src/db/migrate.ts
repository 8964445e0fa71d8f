import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { FileMigrationProvider, type Migration, Migrator } from 'kysely/migration'
import { grantAppAccess } from './app-access.ts'
import { newClientOf } from './client.ts'
import { APP_ROLE, type Login } from './roles.ts'
import type { Db } from './schema.ts'
import { refuseSharedSessions } from './shared-sessions.ts'

class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
}

const migrations = new FileMigrationProvider({
  fs,
  path,
  migrationFolder: fileURLToPath(new URL('migrations', import.meta.url)),
  // The file is imported only when its migration runs, because most starts run no migration.
  import: async (file) => loadedWhenRun(pathToFileURL(file).href),
})

function loadedWhenRun(url: string): Migration {
  const load = async () => (await import(url)) as Migration
  return { up: async (db) => (await load()).up(db) }
}

/**
 * Runs the missing migrations. Several processes can call this function concurrently. @throws NewerDatabase
 */
export async function migrate(
  owner: Db,
  installQueues: (owner: Db) => Promise<void>,
  app: Login = { role: APP_ROLE, password: null },
): Promise<void> {
  await refuseSharedSessions(() => newClientOf(owner))
  await owner.connection().execute(async (db) => {
    // Two transactions that create the job queues concurrently would abort each other.
    await sql`select pg_advisory_lock(hashtext('trainyard migrations'))`.execute(db)
    try {
      const executed = await executedMigrations(db)
      await refuseNewer(executed)
      // While a migration waits for a lock, all calls wait behind the migration. A short limit makes the migration give
      // up soon.
      await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, false)`.execute(db)
      const { error } = await migratorOf(db).migrateToLatest()
      if (error !== undefined) throw error
      await installQueues(db)
      await grantAppAccess(db, app)
    } finally {
      await sql`select set_config('lock_timeout', '0', false)`.execute(db)
      await sql`select pg_advisory_unlock(hashtext('trainyard migrations'))`.execute(db)
    }
  })
}

const LOCK_TIMEOUT = '1s'

async function executedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ found: string | null }>`
    select to_regclass('kysely_migration')::text as found`.execute(db)
  if (tables[0]!.found === null) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

async function refuseNewer(executed: readonly string[]): Promise<void> {
  const known = new Set(Object.keys(await migrations.getMigrations()))
  const unknown = executed.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new NewerDatabase(
    `The database is newer than this program: it has the migrations ${unknown.join(', ')}, which this version does not ` +
      'know. Start the version that the database belongs to, or restore the backup made before the upgrade.',
  )
}

export async function pendingMigrations(db: Db): Promise<string[]> {
  const known = await migratorOf(db).getMigrations()
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}

export const migratorOf = (db: Db): Migrator =>
  new Migrator({
    db,
    provider: migrations,
    // When branches are merged, a migration can follow a migration with a higher number.
    allowUnorderedMigrations: true,
  })
