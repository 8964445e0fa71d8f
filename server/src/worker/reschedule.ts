import { type RawBuilder, sql } from 'kysely'
import { CLAIMABLE_TABLES } from '../reconcile/claim.ts'
import type { Db } from '../db/schema.ts'
import { correctFutureRuns } from '../domain/money/meter/future-runs.ts'

/** Maximum wait in seconds. A row with a reason to wait longer is delayed again when it is processed. */
const LONGEST_WAIT_SECONDS = 60

/** Tables of claimable rows, except machines and tasks, which have further timestamps. */
const CLAIMABLE = CLAIMABLE_TABLES.filter((table) => table !== 'machine' && table !== 'task')

/**
 * Corrects timestamps in the future after the clock went back. Idempotent. Can run concurrently without deadlocks,
 * because each kind of row has its own transaction and its rows are locked in the order of IDs.
 */
export async function rescheduleFutureTimes(db: Db): Promise<void> {
  const latest = sql`portal_now() + make_interval(secs => ${LONGEST_WAIT_SECONDS})`
  const now = sql`portal_now()`
  /** SQL: the earlier of two times. Unlike least(), it leaves null unchanged. */
  const atMost = (column: string, limit: RawBuilder<unknown>) => {
    const value = sql.ref(column)
    return sql`${value} = case when t.${value} > ${limit} then ${limit} else t.${value} end`
  }
  const capped = (columns: readonly string[], limit: RawBuilder<unknown>) =>
    sql.join(columns.map((column) => atMost(column, limit)))
  const nearerTimes = capped(['reconcile_at', 'leased_until'], latest)
  for (const name of CLAIMABLE) {
    await sql`
      with ahead as (select id from ${sql.table(name)}
        where reconcile_at > ${latest} or leased_until > ${latest} order by id for update)
      update ${sql.table(name)} t set ${nearerTimes} from ahead where t.id = ahead.id`.execute(db)
  }
  // Creation, commands and observations of a machine and its runs must not be in the future.
  await db.transaction().execute(async (tx) => {
    await sql`
      with ahead as (select id from machine m where reconcile_at > ${latest} or leased_until > ${latest}
          or greatest(created_at, observed_at, command_at, first_seen_at, restart_asked_at, reset_asked_at,
            handed_over_at, terminated_at) > ${now}
          or exists (select from all_run where machine_id = m.id and greatest(started_at, stopped_at) > ${now})
        order by id for update)
      update machine t set ${nearerTimes}, ${capped(['created_at', 'command_at'], sql`date_trunc('second', portal_now())`)},
        ${capped(['observed_at', 'first_seen_at', 'restart_asked_at', 'reset_asked_at', 'handed_over_at', 'terminated_at'], now)}
      from ahead where t.id = ahead.id`.execute(tx)
    await correctFutureRuns(tx)
  })
  await sql`
    update task t set ${capped(['reconcile_at', 'started_at', 'ended_at'], now)}, ${atMost('leased_until', latest)}
    where greatest(reconcile_at, started_at, ended_at, leased_until) > portal_now()`.execute(db)
  await sql`update whole_sweep t set ${atMost('due_at', now)} where due_at > portal_now()`.execute(db)
  await sql`
    update call_bucket t set ${atMost('counted_at', now)}, ${atMost('closed_until', latest)}
    where counted_at > portal_now() or closed_until > ${latest}`.execute(db)
  await sql`
    update webhook_lane t set ${atMost('leased_until', latest)} where leased_until > ${latest}`.execute(db)
  await sql`update aws_account set look_at = ${latest} where look_at > ${latest}`.execute(db)
  // pg-boss uses the clock of the database server. The portal's clock differs from this clock only if a test changed
  // it.
  await sql`
    update pgboss.job set start_after = now() + make_interval(secs => ${LONGEST_WAIT_SECONDS})
    where state < 'active' and start_after > now() + make_interval(secs => ${LONGEST_WAIT_SECONDS})`.execute(db)
  await sql`delete from worker_pulse where seen_at > portal_now()`.execute(db)
}
