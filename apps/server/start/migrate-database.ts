import { sql } from 'kysely'
import { connectAll, SERVER_MODULES } from '@trainyard/modules/server.ts'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { type ConnectOptions, withConnection } from '@trainyard/platform/server/db/client.ts'
import { isLoginRejected } from '@trainyard/platform/server/db/no-database.ts'
import { createTables, migrate, type Migration } from '@trainyard/platform/server/db/migrate.ts'
import { appLoginOf, type Login, loginIn } from '@trainyard/platform/server/db/roles.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { installJobs } from '@trainyard/platform/server/run/jobs/job-tables.ts'
import { requireReadableSecrets } from '@trainyard/platform/server/run/secrets/stored-secrets.ts'

const JOBS = SERVER_MODULES.flatMap(({ jobs = [] }) => jobs.map(({ job }) => job))

export async function migrateAll(owner: Db, options: Partial<Migration> = {}): Promise<void> {
  connectAll()
  await migrate(owner, {
    app: appLoginOf(''),
    installQueues: (db) => installJobs(db, JOBS),
    ...options,
  })
}

/**
 * Creates the tables and job queues in an empty database that no process uses.
 * @param only names of the files that made the tables of an older version. Default: those of this version
 */
export async function createAllTables(owner: Db, only?: readonly string[]): Promise<void> {
  connectAll()
  await createTables(owner, only)
  await installJobs(owner, JOBS)
}

/** Opens a connection of the owner. */
export async function asOwner<T>(
  secrets: Secrets,
  callback: (owner: Db) => Promise<T>,
  options: Pick<ConnectOptions, 'verify' | 'lasting'> = {},
): Promise<T> {
  if (secrets.ownerUrl === null)
    throw new ConfigError('DATABASE_URL must be set: migrations run as the owner of the database.')
  return withConnection({ connectionString: secrets.ownerUrl }, { size: 1, as: 'owner', ...options }, callback)
}

/** Returns the login of the app that the settings name. */
export function appOf({ databaseUrl, ownerUrl }: Secrets): Login {
  const derived = appLoginOf(ownerUrl ?? '')
  const { role, password } = loginIn(databaseUrl)
  return role === derived.role && password === derived.password ? derived : { role: role ?? derived.role, password }
}

/**
 * Creates the tables of this version, whether or not the database has older ones.
 * @throws ConfigError if API and worker cannot log in afterwards, because the role of the app has another password
 */
export async function migrateDatabase(secrets: Secrets): Promise<void> {
  const app = appOf(secrets)
  await asOwner(secrets, (owner) => migrateAll(owner, { app }))
  try {
    await withConnection({ connectionString: secrets.databaseUrl }, { size: 1, as: 'app' }, (db) =>
      sql`select`.execute(db),
    )
  } catch (error) {
    if (!(error instanceof Error) || !isLoginRejected(error)) throw error
    throw new ConfigError(
      `API and worker cannot log in as ${app.role} (${error.message}). Set DATABASE_APP_URL to another role with its password.`,
    )
  }
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
