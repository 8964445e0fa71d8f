import type { Db } from '../../db/schema.ts'
import { type LoopOptions, startLoop } from './loop.ts'
import { upsertPulse, upsertTaskReports } from './queries.ts'
import type { Loop } from './running.ts'
import { registerTasks, taskKind } from './shared-tasks.ts'
import { type LastRun, startWorkerTasks } from './worker-tasks.ts'
import type { Task, TaskOfEach } from './task.ts'

const REPORT_SECONDS = 5

/** @param worker unique for each start */
export async function startTasks(tasks: readonly Task[], options: LoopOptions, worker: string): Promise<Loop> {
  const { db, onBug } = options
  const sharedTasks = tasks.filter((task) => task.on === 'one')
  await registerTasks(db, sharedTasks)
  const lastRuns = new Map<string, LastRun>()
  const report: TaskOfEach = {
    name: 'report task runs',
    every: REPORT_SECONDS,
    on: 'each',
    run: () => writeReport(db, worker, [...lastRuns.values()]),
  }
  const workerTasks = startWorkerTasks([...tasks.filter((task) => task.on === 'each'), report], {
    ...options,
    lastRuns,
  })
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
    await upsertPulse(tx, worker)
    await upsertTaskReports(tx, worker, JSON.stringify(rows))
  })
}
