import { ConfigError } from '../core/errors.ts'
import type { Config } from '../config.ts'
import { orNoDatabase } from '../db/no-database.ts'
import { hasCluster } from '../db/embedded/place.ts'
import { startForAWhile } from '../db/embedded/start-for-a-while.ts'

/**
 * Does one thing with the database up, where there is one: to back up or to verify one made just now would tell that all
 * is well where the folder's name was typed wrongly, and a superadmin made there could sign in nowhere.
 *
 * @throws ConfigError where there is none
 */
export async function withDatabaseThatIs<T>(config: Config, work: () => Promise<T>): Promise<T> {
  if (config.database.kind === 'embedded' && !hasCluster(config.dataDir)) {
    throw new ConfigError(
      `There is no database in ${config.dataDir}. Set TRAINYARD_DATA to the folder that the portal keeps its data in; npm start makes a new one.`,
    )
  }
  return withDatabase(config, work)
}

/** The way out where DATABASE_URL leads nowhere. */
export const ANOTHER_SERVER = 'Start its server, or let DATABASE_URL lead to where it is.'

/** Does one thing with the database up: one that runs already is used, and one started for this is stopped again. */
export async function withDatabase<T>(config: Config, work: () => Promise<T>): Promise<T> {
  if (config.database.kind === 'server') return orNoDatabase(ANOTHER_SERVER, work)
  const embedded = await startForAWhile(config.dataDir, (sentence) => process.stderr.write(`${sentence}\n`))
  try {
    return await orNoDatabase('It was stopped meanwhile: try again.', work)
  } finally {
    await embedded?.stop()
  }
}
