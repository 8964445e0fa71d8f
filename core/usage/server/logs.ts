import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { type LoggedRun, selectRuns, selectRunsOfTraining } from './queries.ts'
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
  return rows.map(entryOf)
}

/** Returns the log of all machines of a training that the actor may read, newest first. */
export async function logsOfTraining(db: Db, training: TrainingId, onlyOf: string | null) {
  const { rows } = await selectRunsOfTraining(db, training, onlyOf)
  return rows.map(({ machine, email, learnerName, ...run }) => ({ machine, email, learnerName, ...entryOf(run) }))
}

const entryOf = ({ start, stop, seconds }: LoggedRun): LogEntry => ({
  start: start.toISOString(),
  stop: stop?.toISOString() ?? null,
  duration: Math.round((seconds * 100) / 60) / 100,
})
