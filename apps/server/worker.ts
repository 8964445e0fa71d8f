import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { awaitDatabase, refuseNewerTables, reportOutagesOnce } from '@trainyard/platform/server/db/await-database.ts'
import { listenTogether } from '@trainyard/platform/server/db/listen.ts'
import { startTasks } from '@trainyard/platform/server/run/reconcile/driver.ts'
import { pollDue } from '@trainyard/platform/server/run/reconcile/poll-due.ts'
import type { Running } from '@trainyard/platform/server/run/reconcile/running.ts'
import { SERVER_MODULES } from '@trainyard/modules/server.ts'
import { tasksOf } from '@trainyard/platform/server/core/module.ts'
import { startJobRunner } from '@trainyard/platform/server/run/jobs/queue.ts'
import { PACE, type Pace, type WorkerDependencies } from '@trainyard/platform/server/run/parts.ts'

export async function startWorker(parts: WorkerDependencies, pace: Pace = PACE): Promise<Running> {
  const { db, connection, onBug, logMessage } = parts
  const options = {
    db,
    concurrency: pace.concurrency,
    leaseSeconds: pace.leaseSeconds,
    onBug,
  }
  const worker = `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`
  const jobs = SERVER_MODULES.flatMap((module) => module.jobs ?? []).map(({ job, runOf }) => ({
    job,
    run: runOf(parts),
  }))
  const loops = [
    await startJobRunner({ db, jobs, onBug, logMessage }),
    await startTasks(tasksOf(SERVER_MODULES, parts, pace), options, worker),
    ...SERVER_MODULES.flatMap(({ kinds = [] }) => kinds.flatMap((each) => each.start(parts, options) ?? [])),
  ]
  const listening = listenTogether(
    connection,
    loops.flatMap(({ listeners }) => listeners),
  )
  const watch = pollDue(
    db,
    loops.flatMap(({ dueChecks }) => dueChecks),
    onBug,
  )
  return {
    async stop() {
      await Promise.allSettled([listening.close(), ...[watch, ...loops].map((part) => part.stop())])
    },
  }
}

/**
 * Runs a worker until SIGTERM or SIGINT, then returns the exit code. Waits whenever the database is unreachable.
 * @param logMessage reports on the terminal that the worker runs, or waits for the database
 * @param checkKeys throws if the configured keys do not decrypt the stored secrets
 */
export async function runWorker(
  parts: WorkerDependencies,
  logMessage: (sentence: string) => void,
  checkKeys: () => Promise<void>,
): Promise<number> {
  const stopping = new AbortController()
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]).then(() => stopping.abort())
  const waiting = { logMessage, signal: stopping.signal }
  await awaitDatabase(parts.db, waiting)
  if (!stopping.signal.aborted) {
    await checkKeys()
    const worker = await startWorker({ ...parts, onBug: reportOutagesOnce(parts.db, waiting, parts.onBug) })
    logMessage('The worker runs.')
    try {
      await Promise.race([stopped, refuseNewerTables(parts.db, stopping.signal).then(() => stopped)])
    } finally {
      stopping.abort()
      await worker.stop()
    }
  }
  await parts.db.destroy()
  return 0
}
