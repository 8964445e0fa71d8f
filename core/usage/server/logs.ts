import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { selectRuns } from './queries.ts'
import { readableMachine } from './readable.ts'

export interface LogEntry {
  readonly start: string
  readonly stop: string | null
  /** Minutes, rounded to two decimals. */
  readonly duration: number
}

/**
 * Returns the log, newest first.
 * @throws Problem notFound, or forbidden for a user outside the access window
 */
export async function logsOf(db: Db, actor: Actor, vmName: string): Promise<LogEntry[]> {
  const machine = await readableMachine(db, actor, vmName)
  const { rows } = await selectRuns(db, machine)
  return rows.map(({ start, stop, seconds }) => ({
    start: start.toISOString(),
    stop: stop?.toISOString() ?? null,
    duration: Math.round((seconds * 100) / 60) / 100,
  }))
}
