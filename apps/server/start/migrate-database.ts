import { connectAll, SERVER_MODULES } from '@trainyard/modules/server.ts'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { withConnection } from '@trainyard/platform/server/db/client.ts'
import { createTables, migrate } from '@trainyard/platform/server/db/migrate.ts'
import { APP_ROLE, type Login, loginIn } from '@trainyard/platform/server/db/roles.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { installJobs } from '@trainyard/platform/server/run/jobs/job-tables.ts'
import { requireReadableSecrets } from '@trainyard/platform/server/run/secrets/stored-secrets.ts'

const JOBS = SERVER_MODULES.flatMap(({ jobs = [] }) => jobs.map(({ job }) => job))

export async function migrateAll(owner: Db, app?: Login, only?: readonly string[]): Promise<void> {
  connectAll()
  await migrate(owner, (db) => installJobs(db, JOBS), app, only)
}

/** Creates the tables and job queues of this version in an empty database that no process uses. */
export async function createAllTables(owner: Db): Promise<void> {
  connectAll()
  await createTables(owner)
  await installJobs(owner, JOBS)
}

/** @param only names of the files that made the tables of a backup. Default: those of this version */
export async function migrateDatabase(secrets: Secrets, only?: readonly string[]): Promise<void> {
  if (secrets.ownerUrl === null)
    throw new ConfigError('DATABASE_URL must be set: migrations run as the owner of the database.')
  const { role, password } = loginIn(secrets.databaseUrl)
  await withConnection({ connectionString: secrets.ownerUrl }, { size: 1, as: 'owner' }, (owner) =>
    migrateAll(owner, { role: role ?? APP_ROLE, password }, only),
  )
}

/**
 * Checks that the configured keys decrypt the secrets of the migrated database.
 * @param logMessage receives a warning if only some of them are decrypted
 * @throws UnusableKey
 */
export async function checkKeys(
  { lostKeys }: Config,
  secrets: Secrets,
  logMessage: (sentence: string) => void,
): Promise<void> {
  await withConnection({ connectionString: secrets.databaseUrl }, { size: 1, as: 'app' }, (db) =>
    requireReadableSecrets(db, secrets.keys, { lost: lostKeys, logMessage }),
  )
}
