import { type RawBuilder, sql } from 'kysely'
import { CLAIMABLE_TABLES } from '../reconcile/claim.ts'
import type { Db } from '../db/schema.ts'
import { bringRunsBack } from '../domain/money/meter/future-runs.ts'

/** Nothing of ours waits longer than this for its next look without a reason that is judged again when it is taken up. */
const LONGEST_WAIT_SECONDS = 60

/** Machines have more instants than these, and runs; so have tasks. */
const CLAIMABLE = CLAIMABLE_TABLES.filter((table) => table !== 'machine' && table !== 'task')

/**
 * The clock went back: what was written by it before that may lie ahead. What is due is due soon, what is held is held
 * for a lease's length (its holder prolongs it, and the fence judges who writes), and what happened has happened.
 *
 * Each kind of row has a transaction of its own, and rows are locked in the order of their ids: whoever holds one kind
 * and wants the other never waits for this, which waits for them. Half done it may be done again, and twice at once.
 */
export async function rejudge(db: Db): Promise<void> {
  const soon = sql`portal_now() + make_interval(secs => ${LONGEST_WAIT_SECONDS})`
  const now = sql`portal_now()`
  /** Unlike least(), of what is not set it makes nothing. */
  const atMost = (column: string, limit: RawBuilder<unknown>) => {
    const value = sql.ref(column)
    return sql`${value} = case when t.${value} > ${limit} then ${limit} else t.${value} end`
  }
  const several = (columns: readonly string[], limit: RawBuilder<unknown>) =>
    sql.join(columns.map((column) => atMost(column, limit)))
  const putOff = several(['reconcile_at', 'leased_until'], soon)
  for (const name of CLAIMABLE) {
    await sql`
      with ahead as (select id from ${sql.table(name)}
        where reconcile_at > ${soon} or leased_until > ${soon} order by id for update)
      update ${sql.table(name)} t set ${putOff} from ahead where t.id = ahead.id`.execute(db)
  }
  // A machine and its commands are as old as now, at the youngest; so are its runs.
  await db.transaction().execute(async (tx) => {
    await sql`
      with ahead as (select id from machine m where reconcile_at > ${soon} or leased_until > ${soon}
          or greatest(created_at, observed_at, command_at, first_seen_at, restart_asked_at, reset_asked_at,
            handed_over_at, terminated_at) > ${now}
          or exists (select from all_run where machine_id = m.id and greatest(started_at, stopped_at) > ${now})
        order by id for update)
      update machine t set ${putOff}, ${several(['created_at', 'command_at'], sql`date_trunc('second', portal_now())`)},
        ${several(['observed_at', 'first_seen_at', 'restart_asked_at', 'reset_asked_at', 'handed_over_at', 'terminated_at'], now)}
      from ahead where t.id = ahead.id`.execute(tx)
    await bringRunsBack(tx)
  })
  await sql`
    update task t set ${several(['reconcile_at', 'started_at', 'ended_at'], now)}, ${atMost('leased_until', soon)}
    where greatest(reconcile_at, started_at, ended_at, leased_until) > portal_now()`.execute(db)
  await sql`update whole_sweep t set ${atMost('due_at', now)} where due_at > portal_now()`.execute(db)
  await sql`
    update call_bucket t set ${atMost('counted_at', now)}, ${atMost('closed_until', soon)}
    where counted_at > portal_now() or closed_until > ${soon}`.execute(db)
  await sql`update aws_account set look_at = ${soon} where look_at > ${soon}`.execute(db)
  // The queue of jobs has a clock of its own, which is the same wherever nobody sets the portal's.
  await sql`
    update pgboss.job set start_after = now() + make_interval(secs => ${LONGEST_WAIT_SECONDS})
    where state < 'active' and start_after > now() + make_interval(secs => ${LONGEST_WAIT_SECONDS})`.execute(db)
  await sql`delete from worker_pulse where seen_at > portal_now()`.execute(db)
}
