import type { Config } from '../config.ts'
import { DataInUse, startEmbedded } from '../db/embedded/start-embedded.ts'

/** Does one thing with the database up: one that runs already is used, and one started for this is stopped again. */
export async function withDatabase<T>(config: Config, work: () => Promise<T>): Promise<T> {
  if (config.database.kind === 'server') return work()
  const embedded = await startEmbedded(config.dataDir).catch((error: unknown) => {
    if (error instanceof DataInUse) return null
    throw error
  })
  try {
    return await work()
  } finally {
    await embedded?.stop()
  }
}
