import { setTimeout as pause } from 'node:timers/promises'
import { DataInUse, type Embedded, startEmbedded } from './start-embedded.ts'

const LOOK_AGAIN = 100

/**
 * Starts the data folder's database for one command, which stops it at the end. Returns null if a portal runs on it and
 * keeps it running. Waits for another command without a limit, since that command would stop the database under this
 * one.
 * @param say reports the wait once, and a start or stop that takes long
 */
export async function startForCommand(dataDir: string, say: (sentence: string) => void): Promise<Embedded | null> {
  for (let waits = false; ; waits = true) {
    try {
      return await startEmbedded(dataDir, {}, 'command', say)
    } catch (error) {
      if (!(error instanceof DataInUse)) throw error
      if (error.by === 'portal') return null
      if (!waits) say('Another command is using the database. Waiting until it has ended.')
    }
    await pause(LOOK_AGAIN)
  }
}
