import { sql } from 'kysely'
import { CLASS, IDLE_STOP_GRACE_MINUTES, IDLE_WARNING_MINUTES } from '@trainyard/contract/words/classroom.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { setDesiredState } from '../../../reconcile/desired-state.ts'
import { idleSince, activityJoins } from './idle.ts'

const mins = (minutes: number) => sql`make_interval(mins => ${minutes})`

const STOPPABLE = sql`machine m join training t on t.id = m.training_id ${activityJoins}
  where t.idle_stop_minutes is not null and m.desired = 'running' and m.observed = 'running'
    and not m.capturing and not m.password_due and m.restart_asked_at is null`

export async function stopIdle(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await withdrawWarnings(tx)
    await warn(tx)
    await stopWarned(tx)
  })
}

/** Withdraws warnings of machines that are no longer idle or whose CPU is no longer measured. */
async function withdrawWarnings(tx: Tx): Promise<void> {
  await sql`
    update machine_activity set warned_at = null, stops_at = null
    where stops_at is not null and machine_id not in (
      select m.id from ${STOPPABLE} and ${idleSince} <= a.warned_at)`.execute(tx)
}

/** Warns learners early enough, so that a machine is stopped only after the minutes of its training have passed. */
async function warn(tx: Tx): Promise<void> {
  await sql`
    update machine_activity set warned_at = portal_now(), stops_at = portal_now() + ${mins(IDLE_WARNING_MINUTES)}
    where stops_at is null and machine_id in (
      select m.id from ${STOPPABLE}
        and ${idleSince} <= portal_now() - make_interval(mins => t.idle_stop_minutes) + ${mins(IDLE_WARNING_MINUTES)}
        and r.started_at <= portal_now() - ${mins(IDLE_STOP_GRACE_MINUTES - IDLE_WARNING_MINUTES)})`.execute(tx)
}

/** Stops machines after a warning. No user caused the stop, so the audit row has no actor. */
async function stopWarned(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: string; minutes: number }>`
    select m.id, floor(extract(epoch from portal_now() - ${idleSince}) / 60)::integer as minutes
    from ${STOPPABLE} and a.stops_at <= portal_now() and ${idleSince} <= a.warned_at
      and r.started_at <= portal_now() - ${mins(IDLE_STOP_GRACE_MINUTES)}
    order by m.id for update of m, a skip locked`.execute(tx)
  if (rows.length === 0) return
  const stopped = JSON.stringify(rows.map(({ id, minutes }) => ({ id, minutes, reason: CLASS.stoppedIdle(minutes) })))
  const idle = sql`jsonb_to_recordset(${stopped}::jsonb) as idle (id uuid, minutes integer, reason text)`
  await setDesiredState(tx, 'machine', {
    rows: sql`select id, reason from ${idle}`,
    set: sql`desired = 'stopped', stop_reason = changed.reason`,
  })
  await sql`
    with forgotten as (
      update machine_activity set warned_at = null, stops_at = null from ${idle} where machine_id = idle.id
    )
    insert into audit (request_id, call, organisation_id, detail)
    select machine.id::text, 'classroom.stopIdle', organisation_id,
      jsonb_build_object('machine', name, 'idleMinutes', minutes)
    from machine join ${idle} on machine.id = idle.id`.execute(tx)
}
