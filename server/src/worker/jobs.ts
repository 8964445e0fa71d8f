import { fromKysely, PgBoss } from 'pg-boss'
import { sql } from 'kysely'
import { isJobDue, jobDatabase, jobDatabaseBeside, QUEUES } from '../jobs/job-tables.ts'
import type { Db } from '../db/schema.ts'
import { type JobData, type JobHandlers, type JobName, type Jobs, NotYet } from '../jobs/jobs.ts'
import { MailNotTaken } from '../providers/mail.ts'
import type { Loop, Running } from '../reconcile/running.ts'

/** Workers listen here for jobs that were put: the payload is the queue's name. */
const JOB_DUE = 'job_due'

/** Seconds between the library's own looks at a queue: what is due is told by `watchDue`, for all queues in one query. */
const LOOK_EVERY = 60
/** Seconds: the queues of a version never change, and one that is missing is looked up when it is asked for. */
const A_DAY = 24 * 3600
/** Seconds between looks for jobs whose worker died. */
const SUPERVISE_EVERY = 5

/** Puts jobs into the caller's own transaction. */
export function jobsIn(db: Db): Jobs & Running {
  const boss = new PgBoss({
    db: jobDatabaseBeside(db),
    supervise: false,
    schedule: false,
    migrate: false,
    queueCacheIntervalSeconds: A_DAY,
  })
  boss.on('error', () => {})
  let started: Promise<unknown> | null = null
  const start = () =>
    (started ??= boss.start().catch((error: unknown) => {
      // The database was away: the next job tries again.
      started = null
      throw error
    }))
  return {
    async put(tx, name, jobs) {
      await start()
      await boss.insert(
        name,
        jobs.map((data) => ({ data })),
        { db: fromKysely(tx) },
      )
      if (jobs.length > 0) await sql`select pg_notify(${JOB_DUE}, ${name})`.execute(tx)
    },
    async stop() {
      if (started !== null) await boss.stop({ graceful: false })
    },
  }
}

export interface JobRunnerOptions {
  readonly db: Db
  readonly handlers: JobHandlers
  readonly onBug: (bug: unknown) => void
  readonly say: (sentence: string) => void
}

/** Works on jobs as they come, ten at a time; one that fails is tried again with growing pauses. */
export async function startJobRunner({ db, handlers, onBug, say }: JobRunnerOptions): Promise<Loop> {
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
  const workOn = <Name extends JobName>(name: Name) =>
    boss.work<JobData[Name]>(
      name,
      { batchSize: 10, pollingIntervalSeconds: LOOK_EVERY, perJobResults: true },
      async (jobs) =>
        Promise.all(
          jobs.map(async (job) => {
            try {
              await handlers[name](job.data, job.signal)
              return { id: job.id, status: 'completed' as const }
            } catch (thrown) {
              if (thrown instanceof MailNotTaken)
                say(`An email waits, for the mail server did not take it: ${thrown.message}`)
              else if (!(thrown instanceof NotYet)) onBug(thrown)
              return { id: job.id, status: 'failed' as const, output: { reason: String(thrown) } }
            }
          }),
        ),
    )
  const workers = new Map<string, string>()
  for (const name of Object.keys(QUEUES) as JobName[]) workers.set(name, await workOn(name))
  const look = (name: string) => {
    const worker = workers.get(name)
    if (worker !== undefined) boss.notifyWorker(worker)
  }
  return {
    listeners: [
      {
        channels: [JOB_DUE],
        heard: (_channel, name) => look(name),
        missed: () => [...workers.keys()].forEach(look),
      },
    ],
    watched: [...workers.keys()].map((name) => ({ name, isDue: isJobDue(name), wake: () => look(name) })),
    async stop() {
      await boss.stop({ graceful: true, timeout: 4_000 })
    },
  }
}
