import type { Config } from '../config.ts'
import { hasCluster } from '../db/embedded/place.ts'
import type { Embedded } from '../db/embedded/start-embedded.ts'
import { startForAWhile } from '../db/embedded/start-for-a-while.ts'

/** The embedded database, for as long as the doctor looks: one that runs is used, one that stands still is started. */
export interface EmbeddedForAWhile {
  /** Throws with a sentence when there is none, or when it does not start. */
  start(): Promise<void>
  stop(): Promise<void>
}

export function embeddedForAWhile({ database, dataDir }: Config): EmbeddedForAWhile {
  let started: Embedded | null = null
  return {
    async start() {
      if (database.kind === 'server') return
      // To make one would be a change, and an empty one tells nothing.
      if (!hasCluster(dataDir)) {
        throw new Error(`There is no database in ${dataDir} yet.`)
      }
      started = await startForAWhile(dataDir, (sentence) => process.stderr.write(`${sentence}\n`))
    },
    async stop() {
      await started?.stop()
      started = null
    },
  }
}
