import { sql } from 'kysely'
import type { Tx, Db } from '../db/schema.ts'

/** Channel on which workers are notified of new jobs. The payload is the queue's name. */
export const JOB_DUE = 'job_due'

export const notifyJobDue = (tx: Tx, name: string) => sql`select pg_notify(${JOB_DUE}, ${name})`.execute(tx)

/** @param names queues of e-mails */
export const selectWaitingMails = (db: Db, names: readonly string[]) =>
  sql<{ count: number; seconds: number }>`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(created_on)), 0)::float8 as seconds
    from pgboss.job where state < 'active' and name = any(${names}::text[])`.execute(db)
