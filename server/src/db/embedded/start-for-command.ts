import { setTimeout as pause } from 'node:timers/promises'
import { DataInUse, type Embedded, startEmbedded } from './start-embedded.ts'

const LOOK_AGAIN = 100

/** Null if a portal runs on it. Waits for another command, which would stop the database under this one. */
export async function startForCommand(dataDir: string, say: (sentence: string) => void): Promise<Embedded | null> {
  for (let waits = false; ; waits = true) {
    try {
      return await startEmbedded(dataDir, {}, 'command')
    } catch (error) {
      if (!(error instanceof DataInUse)) throw error
      if (error.by === 'portal') return null
      if (!waits) say('Another command is using the database. Waiting until it has ended.')
    }
    await pause(LOOK_AGAIN)
  }
}
