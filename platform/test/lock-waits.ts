import { sql } from 'kysely'
import type { Db } from '../server/db/schema.ts'
import { until } from './until.ts'

/**
 * Waits until at least a number of sessions of this database wait for a lock.
 * @param db outside the transaction that holds the lock
 */
export async function untilWaitingForLock(db: Db, count: number): Promise<void> {
  await until(
    `${count} sessions wait for a lock`,
    async () => {
      const { rows } = await sql`
        select from pg_locks where not granted
          and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(db)
      return rows.length
    },
    (found) => found >= count,
  )
}
