import { fromKysely, PgBoss } from 'pg-boss'
import { isJobDue, jobDatabase, jobDatabaseOutsidePool, pendingJobs } from './job-tables.ts'
import type { Db } from '../../db/schema.ts'
import { type JobQueue, type RunnableJob, JobNotFinished } from './job.ts'
import { MailRejectedError, MailSendError } from '../../mail/mail.ts'
import type { Loop, Running } from '../reconcile/running.ts'
import { notifyJobDue, JOB_DUE } from '../queries.ts'

/** Polling interval of pg-boss, in seconds. `pollDue` detects due jobs earlier, in one query for all queues. */
const LOOK_EVERY = 60
/**
 * Seconds for which the properties of a queue are cached. They never change within a version, and a missing queue is
 * fetched when it is used.
 */
const A_DAY = 24 * 3600
/** Interval of checks for jobs whose worker crashed, in seconds. */
const SUPERVISE_EVERY = 5

export function jobQueueIn(db: Db): JobQueue & Running {
  const boss = new PgBoss({
    db: jobDatabaseOutsidePool(db),
    supervise: false,
    schedule: false,
    migrate: false,
    queueCacheIntervalSeconds: A_DAY,
  })
  boss.on('error', () => {})
  let started: Promise<unknown> | null = null
  const start = () =>
    (started ??= boss.start().catch((error: unknown) => {
      // The database was unreachable: the next job retries.
      started = null
      throw error
    }))
  return {
    async enqueue(tx, { name }, rows, cause) {
      await start()
      const before = cause === undefined ? 0 : await pendingJobs(tx, name, cause)
      await boss.insert(
        name,
        rows.map((data, index) => ({
          data,
          ...(cause !== undefined && { priority: -(before + index), group: { id: cause } }),
        })),
        { db: fromKysely(tx) },
      )
      if (rows.length > 0) await notifyJobDue(tx, name)
    },
    async stop() {
      if (started !== null) await boss.stop({ graceful: false })
    },
  }
}

export interface JobRunnerOptions {
  readonly db: Db
  readonly jobs: readonly RunnableJob[]
  readonly onBug: (bug: unknown) => void
  readonly logMessage: (sentence: string) => void
}

/** Runs due jobs, up to ten at a time per queue. Failed jobs are retried with growing pauses. */
export async function startJobRunner({ db, jobs, onBug, logMessage }: JobRunnerOptions): Promise<Loop> {
  const boss = new PgBoss({
    db: jobDatabase(db),
    migrate: false,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_EVERY,
    monitorIntervalSeconds: SUPERVISE_EVERY,
    queueCacheIntervalSeconds: LOOK_EVERY,
  })
  boss.on('error', onBug)
  await boss.start()
  const workOn = ({ job: { name }, run }: RunnableJob) =>
    boss.work<never>(
      name,
      { batchSize: 10, pollingIntervalSeconds: LOOK_EVERY, perJobResults: true, burstWhenBatchFull: true },
      async (batch) =>
        Promise.all(
          batch.map(async (job) => {
            try {
              await run(job.data, job.signal)
              return { id: job.id, status: 'completed' as const }
            } catch (thrown) {
              if (thrown instanceof MailRejectedError) {
                logMessage(`An e-mail was not delivered because the mail server rejected it: ${thrown.reply}`)
                // Rejections are final: the job ends without further retries.
                return { id: job.id, status: 'deadletter' as const, output: { reason: thrown.reply } }
              }
              if (thrown instanceof MailSendError)
                logMessage(`An e-mail is delayed because the mail server did not accept it: ${thrown.message}`)
              else if (!(thrown instanceof JobNotFinished)) onBug(thrown)
              return { id: job.id, status: 'failed' as const, output: { reason: String(thrown) } }
            }
          }),
        ),
    )
  const workers = new Map<string, string>()
  for (const each of jobs) workers.set(each.job.name, await workOn(each))
  const wakeQueue = (name: string) => {
    const worker = workers.get(name)
    if (worker !== undefined) boss.notifyWorker(worker)
  }
  return {
    listeners: [
      {
        channels: [JOB_DUE],
        onNotification: (_channel, name) => wakeQueue(name),
        onConnect: () => [...workers.keys()].forEach(wakeQueue),
      },
    ],
    dueChecks: [...workers.keys()].map((name) => ({ name, isDue: isJobDue(name), wake: () => wakeQueue(name) })),
    async stop() {
      await boss.stop({ graceful: true, timeout: 4_000 })
    },
  }
}
