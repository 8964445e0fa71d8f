import { connectAll } from '@trainyard/modules/server.ts'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { connect, poolOf, ROLE_LIMITS, type TimeLimits } from '@trainyard/platform/server/db/client.ts'
import { requireOwnTables } from '@trainyard/platform/server/db/migrate.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { followKeyFile } from '@trainyard/platform/server/run/secrets/keys.ts'
import { makeSeal, type Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { requireReadableSecrets } from '@trainyard/platform/server/run/secrets/stored-secrets.ts'
import type { Meters } from '@trainyard/platform/server/run/telemetry/meters.ts'

export interface App {
  readonly config: Config
  readonly secrets: Secrets
  readonly db: Db
  /**
   * Separate connections for health checks and sign-ins. They remain available while all other connections are in use.
   */
  readonly reserved: Db
  readonly seal: Seal
  /** Null without METRICS_PORT. */
  readonly meters: Meters | null
}

/**
 * Time limits of calls. They are shorter than a proxy's limit, so that a blocked call fails with a reason and frees its
 * connection.
 */
const CALL_LIMITS: TimeLimits = { statement: 20, lock: 10, idleInTransaction: 60 }
/** Time limits of health checks and sign-ins, which run only indexed reads and short changes. */
const RESERVED_LIMITS: TimeLimits = { statement: 5, lock: 2, idleInTransaction: 10 }
const RESERVED_CONNECTIONS = 4

/** @param of kind of the process: a worker may run longer statements than a call */
export function buildApp(
  config: Config,
  secrets: Secrets,
  meters: Meters | null = null,
  of: 'api' | 'worker' = 'api',
): App {
  connectAll()
  const connection = { connectionString: secrets.databaseUrl }
  const limits = of === 'api' ? CALL_LIMITS : ROLE_LIMITS
  const verify = requireOwnTables
  const db = connect(connection, { size: config.database.connections, as: 'app', limits, verify })
  const reserved = connect(connection, { size: RESERVED_CONNECTIONS, as: 'app', limits: RESERVED_LIMITS, verify })
  meters?.watchPool(poolOf(db)!)
  const seal = makeSeal(secrets.keysInFile ? followKeyFile(config.dataDir, secrets.keys) : secrets.keys)
  return { config, secrets, db, reserved, seal, meters }
}

/**
 * Returns a function that checks that the configured keys decrypt the stored secrets.
 * @param logMessage receives a warning if only some of them are decrypted
 */
export const keyCheckOf =
  ({ config, secrets, db }: App, logMessage: (sentence: string) => void): (() => Promise<void>) =>
  () =>
    requireReadableSecrets(db, secrets.keys, { lost: config.lostKeys, logMessage })
