import { fromKysely, PgBoss } from 'pg-boss'
import { sql } from 'kysely'
import type { Connection } from '../db/dial.ts'
import { jobDatabase, QUEUES } from '../db/job-tables.ts'
import { listen } from '../db/listen.ts'
import type { Db } from '../db/schema.ts'
import { type JobData, type JobHandlers, type JobName, type Jobs, NotYet } from '../jobs.ts'
import { MailNotTaken } from '../providers/mail.ts'
import type { Running } from '../reconcile/loop.ts'

/** Workers listen here for jobs that were put: the payload is the queue's name. */
const JOB_DUE = 'job_due'

/** Seconds between looks at a queue for what nobody tells of: a job that is to be tried again. */
const LOOK_EVERY: Partial<Record<JobName, number>> = { 'machine.capture': 0.5 }
const LOOK_EVERY_USUALLY = 2

/** Puts jobs into the caller's own transaction. */
export function jobsIn(db: Db): Jobs & Running {
  const boss = new PgBoss({ db: jobDatabase(db), supervise: false, schedule: false, migrate: false })
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
  readonly connection: Connection
  readonly handlers: JobHandlers
  readonly onBug: (bug: unknown) => void
  readonly say: (sentence: string) => void
}

/** Works on jobs as they come, ten at a time; one that fails is tried again with growing pauses. */
export async function startJobRunner({ db, connection, handlers, onBug, say }: JobRunnerOptions): Promise<Running> {
  const boss = new PgBoss({
    db: jobDatabase(db),
    migrate: false,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    queueCacheIntervalSeconds: 1,
  })
  boss.on('error', onBug)
  await boss.start()
  const workOn = <Name extends JobName>(name: Name) =>
    boss.work<JobData[Name]>(
      name,
      { batchSize: 10, pollingIntervalSeconds: LOOK_EVERY[name] ?? LOOK_EVERY_USUALLY, perJobResults: true },
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
  const listening = listen(connection, {
    channels: [JOB_DUE],
    heard: (_channel, name) => look(name),
    missed: () => [...workers.keys()].forEach(look),
  })
  return {
    async stop() {
      await Promise.all([listening.close(), boss.stop({ graceful: true, timeout: 4_000 })])
    },
  }
}
