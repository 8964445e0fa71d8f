import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

export const countPendingJobs = (db: Db, queue: string, cause: string) =>
  sql<{ pending: number }>`
    select count(*)::int as pending from pgboss.job_common
    where name = ${queue} and state < 'active' and group_id = ${cause}`.execute(db)
