import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import type { Config } from '@trainyard/platform/server/config/config.ts'
import { explainDatabaseErrors, NoDatabase } from '@trainyard/platform/server/db/no-database.ts'
import { hasCluster } from '@trainyard/platform/server/db/embedded/place.ts'
import { startForCommand } from '@trainyard/platform/server/db/embedded/start-embedded.ts'

/**
 * Returns the database, which must exist: creating one would hide a mistyped folder name.
 * @throws ConfigError if there is none
 */
export async function withExistingDatabase<T>(config: Config, callback: () => Promise<T>): Promise<T> {
  if (config.database.kind === 'embedded' && !hasCluster(config.dataDir)) {
    throw new ConfigError(
      `There is no database in ${config.dataDir}. Set TRAINYARD_DATA to the data folder of the portal, or run npm start to create a new database.`,
    )
  }
  return withDatabase(config, () =>
    callback().catch((error: unknown) => {
      const { code, message } = error as { code?: unknown; message?: string }
      if (code !== '42P01') throw error
      throw new NoDatabase(`The database lacks tables (${message}). Create them: npm run migrate`, { cause: error })
    }),
  )
}

export const DATABASE_URL_HINT = 'Start the database server or correct DATABASE_URL.'

/** Runs work with the database up. Uses a running database, or starts one and stops it afterwards. */
export async function withDatabase<T>(config: Config, callback: () => Promise<T>): Promise<T> {
  if (config.database.kind === 'server') return explainDatabaseErrors(DATABASE_URL_HINT, callback)
  const embedded = await startForCommand(config.dataDir, (sentence) => process.stderr.write(`${sentence}\n`))
  try {
    return await explainDatabaseErrors('It was stopped in the meantime. Try again.', callback)
  } finally {
    await embedded?.stop()
  }
}
