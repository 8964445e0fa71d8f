import { sql } from 'kysely'
import { CLASS, IDLE_STOP_NEVER_MINUTES, IDLE_WARNING_MINUTES } from '@trainyard/contract/words/classroom.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { MACHINE_DUE } from '../machine/wake.ts'
import { idleSince, withActivity } from './idle.ts'

const mins = (minutes: number) => sql`make_interval(mins => ${minutes})`

/** Machines that may be stopped for being idle: `m`, in a training that has that, with their activity and their run. */
const STOPPABLE = sql`machine m join training t on t.id = m.training_id ${withActivity}
  where t.idle_stop_minutes is not null and m.desired = 'running' and m.observed = 'running'
    and not m.capturing and not m.password_due and m.restart_asked_at is null`

/** Warns the learners of machines that nobody uses, forgets the warnings of those who came back, and stops the rest. */
export async function stopIdle(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await forgetWarnings(tx)
    await warn(tx)
    await stopWarned(tx)
  })
}

/** A warning stands only while nobody has used the machine since, and something measures that. */
async function forgetWarnings(tx: Tx): Promise<void> {
  await sql`
    update machine_activity set warned_at = null, stops_at = null
    where stops_at is not null and machine_id not in (
      select m.id from ${STOPPABLE} and ${idleSince} <= a.warned_at)`.execute(tx)
}

/** The warning comes so early that a machine is idle for the training's minutes when it is stopped, and never sooner. */
async function warn(tx: Tx): Promise<void> {
  await sql`
    update machine_activity set warned_at = portal_now(), stops_at = portal_now() + ${mins(IDLE_WARNING_MINUTES)}
    where stops_at is null and machine_id in (
      select m.id from ${STOPPABLE}
        and ${idleSince} <= portal_now() - make_interval(mins => t.idle_stop_minutes) + ${mins(IDLE_WARNING_MINUTES)}
        and r.started_at <= portal_now() - ${mins(IDLE_STOP_NEVER_MINUTES - IDLE_WARNING_MINUTES)})`.execute(tx)
}

/** Nobody acted: the audit names nobody, only the machine and for how long it was idle. */
async function stopWarned(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: string; minutes: number }>`
    select m.id, floor(extract(epoch from portal_now() - ${idleSince}) / 60)::integer as minutes
    from ${STOPPABLE} and a.stops_at <= portal_now() and ${idleSince} <= a.warned_at
      and r.started_at <= portal_now() - ${mins(IDLE_STOP_NEVER_MINUTES)}
    order by m.id for update of m, a skip locked`.execute(tx)
  if (rows.length === 0) return
  const stopped = JSON.stringify(rows.map(({ id, minutes }) => ({ id, minutes, reason: CLASS.stoppedIdle(minutes) })))
  await sql`
    with idle as (
      select * from jsonb_to_recordset(${stopped}::jsonb) as s (id uuid, minutes integer, reason text)
    ), forgotten as (
      update machine_activity set warned_at = null, stops_at = null from idle where machine_id = idle.id
    ), stopped as (
      update machine set desired = 'stopped', stop_reason = idle.reason, generation = generation + 1,
        reconcile_at = portal_now(), attempts = 0, last_error = null, refused = false
      from idle where machine.id = idle.id
      returning machine.id, machine.name, machine.organisation_id, idle.minutes
    )
    insert into audit (request_id, call, organisation_id, detail)
    select id::text, 'classroom.stopIdle', organisation_id,
      jsonb_build_object('machine', name, 'idleMinutes', minutes)
    from stopped`.execute(tx)
  await notifyWorkers(tx, MACHINE_DUE)
}
