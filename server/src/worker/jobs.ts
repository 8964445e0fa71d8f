import { fromKysely, PgBoss } from 'pg-boss'
import { QUEUES } from '../db/job-tables.ts'
import type { Db } from '../db/schema.ts'
import { type JobData, type JobHandlers, type JobName, type Jobs, NotYet } from '../jobs.ts'
import type { Running } from '../reconcile/loop.ts'

/** Puts jobs into the caller's own transaction. */
export function jobsIn(db: Db): Jobs & Running {
  const boss = new PgBoss({ db: fromKysely(db), supervise: false, schedule: false, migrate: false })
  boss.on('error', () => {})
  let started: Promise<unknown> | null = null
  return {
    async put(tx, name, jobs) {
      await (started ??= boss.start())
      await boss.insert(
        name,
        jobs.map((data) => ({ data })),
        { db: fromKysely(tx) },
      )
    },
    async stop() {
      if (started !== null) await boss.stop({ graceful: false })
    },
  }
}

/** Works on jobs as they come, ten at a time; one that fails is tried again with growing pauses. */
export async function startJobRunner(db: Db, handlers: JobHandlers, onBug: (bug: unknown) => void): Promise<Running> {
  const boss = new PgBoss({
    db: fromKysely(db),
    migrate: false,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    queueCacheIntervalSeconds: 1,
  })
  boss.on('error', onBug)
  await boss.start()
  const workOn = <Name extends JobName>(name: Name) =>
    boss.work<JobData[Name]>(name, { batchSize: 10, pollingIntervalSeconds: 0.5, perJobResults: true }, async (jobs) =>
      Promise.all(
        jobs.map(async (job) => {
          try {
            await handlers[name](job.data, job.signal)
            return { id: job.id, status: 'completed' as const }
          } catch (bug) {
            if (!(bug instanceof NotYet)) onBug(bug)
            return { id: job.id, status: 'failed' as const, output: { reason: String(bug) } }
          }
        }),
      ),
    )
  for (const name of Object.keys(QUEUES) as JobName[]) await workOn(name)
  return {
    stop: () => boss.stop({ graceful: true, timeout: 4_000 }),
  }
}
