import { setTimeout as pause } from 'node:timers/promises'
import { DataInUse, type Embedded, startEmbedded } from './start-embedded.ts'

const LOOK_AGAIN = 100

/**
 * Starts the data folder's database for one command, which stops it at the end. Returns null if a portal is running on
 * the database. If another command is using the database, waits without a limit, because that command stops the
 * database when it ends.
 * @param logMessage reports the wait once, and each start or stop that takes longer than 5 s
 */
export async function startForCommand(
  dataDir: string,
  logMessage: (sentence: string) => void,
): Promise<Embedded | null> {
  for (let waits = false; ; waits = true) {
    try {
      return await startEmbedded(dataDir, {}, 'command', logMessage)
    } catch (error) {
      if (!(error instanceof DataInUse)) throw error
      if (error.by === 'portal') return null
      if (!waits) logMessage('Another command is using the database. Waiting until it has ended.')
    }
    await pause(LOOK_AGAIN)
  }
}
