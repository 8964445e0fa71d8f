import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { TaskRow } from '../../../tables.gen.ts'
import { type Kind, WorkerStopping } from './loop.ts'
import type { Outcome } from './outcome.ts'
import { StepError } from '../../providers/errors.ts'
import { LIMIT_SECONDS, type Task, type TaskOfOne } from './task.ts'

/**
 * Registers the tasks. Unchanged rows are not locked, because a worker that renews several leases could otherwise
 * deadlock.
 */
export async function registerTasks(db: Db, tasks: readonly Task[]): Promise<void> {
  const names = tasks.map(({ name }) => name)
  const periods = tasks.map(({ every }) => every)
  const known = sql`unnest(${names}::text[], ${periods}::float8[]) as known (name, every)`
  await sql`insert into task (name, every) select * from ${known} on conflict (name) do nothing`.execute(db)
  await sql`
    update task t set every = known.every from ${known} where t.name = known.name and t.every <> known.every`.execute(
    db,
  )
}

/** Returns the kind of rows for tasks that only one worker runs at a time. A run is a step. */
export function taskKind(tasks: readonly TaskOfOne[]): Kind<TaskRow> {
  const byName = new Map(tasks.map((task) => [task.name, task]))
  return {
    table: 'task',
    maxConcurrent: tasks.length,
    // Workers of another version, or with other settings, may have other tasks.
    filter: sql`name = any(${[...byName.keys()]}::text[])`,
    setOnClaim: sql`started_at = portal_now(),
      lag_seconds = greatest(0, extract(epoch from portal_now() - t.reconcile_at))`,
    stepLimitMs: ({ name }) => (byName.get(name)!.limit ?? LIMIT_SECONDS) * 1000,
    step: (row, signal) => run(byName.get(row.name)!, row, signal),
  }
}

async function run(task: TaskOfOne, { attempts, last_error }: TaskRow, signal: AbortSignal): Promise<Outcome<TaskRow>> {
  const set = { ended_at: sql<Date>`portal_now()` }
  try {
    return { set, next: (await task.run(signal))?.inSeconds ?? task.every }
  } catch (error) {
    // The worker is stopping, which is no failure: another worker will run the task.
    if (signal.reason instanceof WorkerStopping) return { set: { attempts, last_error }, next: 0 }
    // Only superadmins read it, so the real message of a bug helps more than a sentence for users.
    const last =
      error instanceof StepError ? {} : { last_error: error instanceof Error ? error.message : String(error) }
    return { set: { ...set, ...last }, error }
  }
}
