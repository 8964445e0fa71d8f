import { type ConstructorOptions, fromKysely, PgBoss } from 'pg-boss'
import type { JobName } from './jobs.ts'
import { sql } from 'kysely'
import { poolOf, newClientOf } from '../db/client.ts'
import type { Db } from '../db/schema.ts'
import { countPendingJobs } from './queries.ts'

type Queue = Omit<NonNullable<Parameters<PgBoss['createQueue']>[1]>, 'name'>

/** Options of e-mails. They are retried for about two days, because a mail server may be down for days. */
const EMAILS: Queue = { retryLimit: 60, retryDelay: 2, retryBackoff: true, retryDelayMax: 3_600, heartbeatSeconds: 10 }
/**
 * Options of captures. Capturing an image takes many short runs until the image is ready, or capturing fails after
 * hours.
 */
const CAPTURES: Queue = { retryLimit: 20_000, retryDelay: 2, retryBackoff: false, heartbeatSeconds: 10 }
export const QUEUES: Record<JobName, Queue> = {
  'machine.capture': CAPTURES,
  'user.invite': EMAILS,
  'user.forgot': EMAILS,
  'user.passwordChanged': EMAILS,
  'secret.created': EMAILS,
  'user.confirmChange': EMAILS,
  'user.addressNotice': EMAILS,
  'secondFactor.notice': EMAILS,
  'invoice.mail': EMAILS,
  'invoice.cancelled': EMAILS,
  'reminder.mail': EMAILS,
  'quote.mail': EMAILS,
  'payment.request': EMAILS,
  'budget.alert': EMAILS,
  'credit.alert': EMAILS,
  'credit.overdue': EMAILS,
  'changeRequest.decided': EMAILS,
  'labImport.moved': EMAILS,
  'webhook.disabled': EMAILS,
  'registration.account': EMAILS,
  'registration.decided': EMAILS,
  'azureUser.invite': EMAILS,
  'awsUser.invite': EMAILS,
}

export async function installJobs(owner: Db): Promise<void> {
  const boss = new PgBoss({ db: fromKysely(owner), supervise: false, schedule: false })
  // Without a listener, an error in the background would end the process. Errors of the calls below reject their
  // promise.
  boss.on('error', () => {})
  await boss.start()
  for (const [name, options] of Object.entries(QUEUES)) await boss.createQueue(name, options)
  await boss.stop({ graceful: false })
}

/** SQL expression: true if a job of the queue is due, otherwise null. Ordered like the queue's own index. */
export const isJobDue = (queue: string) => sql<boolean>`(
  select true from pgboss.job_common
  where name = ${sql.lit(queue)} and state < 'active' and not blocked and start_after <= pgboss.job_now()
  order by priority desc, created_on limit 1)`

/** Returns the number of jobs of a cause that have not started. */
export async function pendingJobs(db: Db, queue: string, cause: string): Promise<number> {
  const { rows } = await countPendingJobs(db, queue, cause)
  return rows[0]!.pending
}

/**
 * Returns the database of the queue. Closes a session after a query of pg-boss fails half-way, because it would remain
 * in an aborted transaction.
 */
export function jobDatabase(db: Db): NonNullable<ConstructorOptions['db']> {
  const pool = poolOf(db)!
  return { executeSql: (text, values) => pool.query(text, values) }
}

/**
 * Runs queries on separate connections. Transactions that enqueue jobs occupy the pool and would wait for it forever.
 */
export function jobDatabaseOutsidePool(db: Db): NonNullable<ConstructorOptions['db']> {
  return {
    async executeSql(text, values) {
      if (poolOf(db)!.ending) throw new Error('The database is closed.')
      const client = newClientOf(db)
      // The query itself reports the loss of its connection.
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
