import type { Config } from '../config/config.ts'
import { hasCluster } from '../db/embedded/place.ts'
import type { Embedded } from '../db/embedded/start-embedded.ts'
import { startForCommand } from '../db/embedded/start-embedded.ts'

export interface TemporaryDatabase {
  /** Starts the database. Throws an Error if there is no database or it does not start. */
  start(): Promise<void>
  stop(): Promise<void>
}

export function temporaryDatabase({ database, dataDir }: Config): TemporaryDatabase {
  let started: Embedded | null = null
  return {
    async start() {
      if (database.kind === 'server') return
      // The doctor does not create a database, because it must not change anything and an empty database needs no
      // check.
      if (!hasCluster(dataDir)) {
        throw new Error(`There is no database in ${dataDir} yet.`)
      }
      started = await startForCommand(dataDir, (sentence) => process.stderr.write(`${sentence}\n`))
    },
    async stop() {
      await started?.stop()
      started = null
    },
  }
}
