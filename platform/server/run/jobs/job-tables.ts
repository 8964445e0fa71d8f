import { type ConstructorOptions, fromKysely, getRollbackPlans, PgBoss } from 'pg-boss'
import type { Job } from './job.ts'
import { sql } from 'kysely'
import { poolOf, newClientOf } from '../../db/client.ts'
import type { Db } from '../../db/schema.ts'
import { countPendingJobs } from './queries.ts'

export async function installJobs(owner: Db, jobs: readonly Job<unknown>[]): Promise<void> {
  const boss = new PgBoss({ db: fromKysely(owner), supervise: false, schedule: false })
  // Without a listener, an error in the background would end the process. Errors of the calls below reject their
  // promise.
  boss.on('error', () => {})
  await boss.start()
  for (const { name, options } of jobs) await boss.createQueue(name, options)
  await boss.stop({ graceful: false })
}

/** Changes the queue's tables to those of an older version, which does not start with newer ones. */
export async function rollBackQueue(owner: Db, from: number, to: number): Promise<void> {
  for (let each = from; each > to; each -= 1) await sql.raw(getRollbackPlans('pgboss', each)).execute(owner)
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
