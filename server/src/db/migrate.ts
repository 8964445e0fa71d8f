import fs from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import { letAppIn } from './app-access.ts'
import { installJobs } from './job-tables.ts'
import { APP_ROLE, type Login } from './roles.ts'
import type { Db } from './schema.ts'

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
  await owner.connection().execute(async (db) => {
    // Each step takes turns by itself, but for the making of the jobs' queues: its loser's transaction is aborted.
    await sql`select pg_advisory_lock(hashtext('trainyard migrations'))`.execute(db)
    try {
      const { error } = await migratorOf(db).migrateToLatest()
      if (error !== undefined) throw error
      await installJobs(db)
      await letAppIn(db, app)
    } finally {
      await sql`select pg_advisory_unlock(hashtext('trainyard migrations'))`.execute(db)
    }
  })
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
