import { type ConstructorOptions, fromKysely, PgBoss } from 'pg-boss'
import type { JobName } from './jobs.ts'
import { sql } from 'kysely'
import { poolOf, spareClient } from '../db/client.ts'
import type { Db } from '../db/schema.ts'

type Queue = Omit<NonNullable<Parameters<PgBoss['createQueue']>[1]>, 'name'>

/** Mail may be away for days: an email is tried for about two. */
const EMAILS: Queue = { retryLimit: 60, retryDelay: 2, retryBackoff: true, retryDelayMax: 3_600, heartbeatSeconds: 10 }
/** An image takes many turns, until it is ready or given up after hours; a turn is short and comes soon again. */
const TURNS: Queue = { retryLimit: 20_000, retryDelay: 2, retryBackoff: false, heartbeatSeconds: 10 }
export const QUEUES: Record<JobName, Queue> = {
  'machine.capture': TURNS,
  'user.invite': EMAILS,
  'user.forgot': EMAILS,
  'user.passwordChanged': EMAILS,
  'secondFactor.notice': EMAILS,
  'invoice.mail': EMAILS,
  'reminder.mail': EMAILS,
  'payment.request': EMAILS,
  'budget.alert': EMAILS,
  'azureUser.invite': EMAILS,
  'awsUser.invite': EMAILS,
}

/** Makes the tables and queues of one-shot work, as the database's owner. Any number of processes may do so at once. */
export async function installJobs(owner: Db): Promise<void> {
  const boss = new PgBoss({ db: fromKysely(owner), supervise: false, schedule: false })
  // Without a listener an error in the background would end the process; what fails here rejects.
  boss.on('error', () => {})
  await boss.start()
  for (const [name, options] of Object.entries(QUEUES)) await boss.createQueue(name, options)
  await boss.stop({ graceful: false })
}

/** True in SQL while a job of the queue waits whose pause is over; else null. In the order of the queue's own index. */
export const isJobDue = (queue: string) => sql<boolean>`(
  select true from pgboss.job_common
  where name = ${sql.lit(queue)} and state < 'active' and not blocked and start_after <= pgboss.job_now()
  order by priority desc, created_on limit 1)`

/**
 * The pool as the queue of jobs asks it. A text of the queue's may hold a whole transaction; where one fails half-way its
 * session stays in that transaction, and refuses whoever gets it next: the pool closes it.
 */
export function jobDatabase(db: Db): NonNullable<ConstructorOptions['db']> {
  const pool = poolOf(db)!
  return { executeSql: (text, values) => pool.query(text, values) }
}

/**
 * Asked beside the pool, on a connection for each question, until the pool is closed. Who puts a job holds one of the pool's: were the queues
 * then asked for in the pool, as many as it has would wait for one more, which none of them gives back.
 */
export function jobDatabaseBeside(db: Db): NonNullable<ConstructorOptions['db']> {
  return {
    async executeSql(text, values) {
      if (poolOf(db)!.ending) throw new Error('The database is closed.')
      const client = spareClient(db)
      // One that is lost while it asks is told by its answer.
      client.on('error', () => {})
      try {
        await client.connect()
        return await client.query(text, values)
      } finally {
        await client.end()
      }
    },
  }
}
