import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { type LoopOptions, startLoop } from './loop.ts'
import type { Loop } from './running.ts'
import { registerTasks, taskKind } from './shared-tasks.ts'
import { type LastRun, startWorkerTasks } from './worker-tasks.ts'
import type { Task } from './task.ts'

const REPORT_SECONDS = 5

/** @param worker unique for each start */
export async function startTasks(tasks: readonly Task[], options: LoopOptions, worker: string): Promise<Loop> {
  const { db, onBug } = options
  const sharedTasks = tasks.filter(({ on }) => on === 'one')
  await registerTasks(db, sharedTasks)
  const lastRuns = new Map<string, LastRun>()
  const report: Task = {
    name: 'report task runs',
    every: REPORT_SECONDS,
    on: 'each',
    run: () => writeReport(db, worker, [...lastRuns.values()]),
  }
  const workerTasks = startWorkerTasks([...tasks.filter(({ on }) => on === 'each'), report], { ...options, lastRuns })
  const loop = startLoop(taskKind(sharedTasks), options)
  return {
    listeners: [...workerTasks.listeners, ...loop.listeners],
    dueChecks: [...workerTasks.dueChecks, ...loop.dueChecks],
    async stop() {
      await Promise.all([workerTasks.stop(), loop.stop()])
      await db.deleteFrom('worker_pulse').where('worker', '=', worker).execute().catch(onBug)
    },
  }
}

async function writeReport(db: Db, worker: string, lastRuns: readonly LastRun[]): Promise<void> {
  const now = performance.now()
  const rows = lastRuns.map(({ name, every, startedAt, endedAt, lagSeconds, error }) => ({
    name,
    every,
    started: (now - startedAt) / 1000,
    ended: endedAt === null ? null : (now - endedAt) / 1000,
    lag: lagSeconds,
    error,
  }))
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into worker_pulse (worker, seen_at) values (${worker}, portal_now())
      on conflict (worker) do update set seen_at = excluded.seen_at`.execute(tx)
    await sql`
      insert into task_on_worker (worker, name, every, started_at, ended_at, lag_seconds, last_error)
      select ${worker}, name, every, portal_now() - make_interval(secs => started),
        portal_now() - make_interval(secs => ended), lag, error
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ran (name text, every float8, started float8,
        ended float8, lag float8, error text)
      on conflict (worker, name) do update set every = excluded.every, started_at = excluded.started_at,
        ended_at = excluded.ended_at, lag_seconds = excluded.lag_seconds, last_error = excluded.last_error`.execute(tx)
  })
}
