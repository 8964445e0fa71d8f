import { sql } from 'kysely'
import { type HandReason, IDLE_WARNING_MINUTES, IDLE_STOP_GRACE_MINUTES } from '../contract/classroom-words.ts'
import type { TrainingId, OrganisationId, MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import { usedByMachine } from '@trainyard/usage/server/queries.ts'
import { type NewestInvitation, newestInvitation } from '@trainyard/users/server/invitation-state.ts'
import { IS_OF_DEACTIVATED } from '@trainyard/machines/server/desired-power.ts'
import { LEARNER_NAME, plannedTime, shownColumns } from '@trainyard/machines/server/queries.ts'
import type { MeteredMachine } from '@trainyard/machines/server/view.ts'
import { ABANDONED_SECONDS } from '@trainyard/remote-access/server/open.ts'
import { isInstructedBy } from '@trainyard/trainings/server/instructor.ts'
import type { Place } from '@trainyard/templates/contract/provider.ts'
import { DUE_AT, nextReady } from '@trainyard/schedules/server/queries.ts'
import { isWindowOpen, nextSession } from '@trainyard/trainings/server/window.ts'
import { activityJoins, idleSince } from './idle.ts'
import { markActive } from '@trainyard/remote-access/server/active-minutes.ts'

const HANDS_MAX = 200

export type InvitedLearner = { readonly email: string; readonly name: string | null; readonly joined: boolean } & {
  readonly [Column in keyof NewestInvitation]: NewestInvitation[Column] | null
}

export interface MeasuredMachine {
  readonly id: MachineId
  readonly name: string
  readonly provider: string
  readonly place: Place
  readonly location: string
  readonly now: Date
  /** Time up to which minutes have been measured, or the start of the run if no minute has been measured. */
  readonly knownTo: Date
}

export interface OwnRow {
  readonly name: string
  readonly text: string | null
  readonly made_at: Date | null
  readonly ends_at: Date | null
  readonly raised_at: Date | null
  readonly reason: HandReason | null
  readonly place: number | null
  readonly next_stop_at: Date | null
  readonly machines: { readonly name: string; readonly stops_at: string | null }[]
}

const isMine = ({ email, organisation }: Actor) =>
  sql`m.email = ${email} and m.organisation_id = ${organisation?.id ?? null} and m.terminated_at is null
    and m.withheld_at is null`

/** SQL: machines that a start of all stopped machines applies to, if `can.powerOn` allows it. */
const isStopped = (training: TrainingId) =>
  sql`training_id = ${training} and terminated_at is null and desired = 'stopped' and withheld_at is null
    and not ${IS_OF_DEACTIVATED}`

export interface SeatRow extends MeteredMachine {
  readonly connectedSince: Date | null
  readonly disconnectedSince: Date | null
  readonly runningSince: Date | null
  readonly idleSince: Date | null
  readonly cpuPercent: number | null
  readonly cpuAt: Date | null
  readonly handRaisedAt: Date | null
  readonly handReason: HandReason | null
  readonly activeMinutes: number | null
  readonly activeAgo: number | null
  readonly stopsAt: Date | null
}

const STOPPABLE = sql`machine m join training t on t.id = m.training_id ${activityJoins}
  where t.idle_stop_minutes is not null and m.desired = 'running' and m.observed = 'running'
    and not m.capturing and not m.password_due and m.restart_asked_at is null`

const mins = (minutes: number) => sql`make_interval(mins => ${minutes})`

export const upsertAnnouncement = (
  tx: Tx,
  input: {
    readonly training: TrainingId
    readonly organisationId: OrganisationId
    readonly text: string
    readonly email: string
    readonly minutes: number
  },
) =>
  sql`
    insert into announcement (training_id, organisation_id, text, made_by, ends_at)
    values (${input.training}, ${input.organisationId}, ${input.text}, ${input.email},
      portal_now() + make_interval(mins => ${input.minutes}))
    on conflict (training_id) do update set text = excluded.text, made_by = excluded.made_by,
      made_at = portal_now(), ends_at = excluded.ends_at`.execute(tx)

export const deleteAnnouncement = (tx: Tx, training: TrainingId) =>
  sql<{ shown: boolean }>`
    delete from announcement where training_id = ${training} returning ends_at > portal_now() as shown`.execute(tx)

/** Raises a hand, or changes the reason of a raised one. */
export const upsertHand = (
  tx: Tx,
  hand: {
    readonly training: TrainingId
    readonly organisation: OrganisationId
    readonly email: string
    readonly reason: HandReason | null
  },
) =>
  sql<{ reason: HandReason | null; raisedAt: Date; isNew: boolean; isChanged: boolean }>`
    with before as (
      select reason from raised_hand where training_id = ${hand.training} and email = ${hand.email} for no key update)
    insert into raised_hand (training_id, organisation_id, email, reason)
    values (${hand.training}, ${hand.organisation}, ${hand.email}, ${hand.reason})
    on conflict (training_id, email) do update set reason = coalesce(excluded.reason, raised_hand.reason)
    returning reason, raised_at as "raisedAt", not exists (select from before) as "isNew",
      exists (select from before where before.reason is distinct from raised_hand.reason) as "isChanged"`.execute(tx)

export const selectRaisedHands = (db: Db, actor: Actor, organisation: OrganisationId) => {
  const led = actor.role === 'user' ? isInstructedBy(actor) : sql<boolean>`true`
  return sql<{ training: string; email: string; reason: HandReason | null; raised_at: Date }>`
    select training.name as training, hand.email, hand.reason, hand.raised_at
    from raised_hand hand join training on training.id = hand.training_id
    where hand.organisation_id = ${organisation} and training.removed_at is null and ${led}
      and exists (select from machine m where m.training_id = training.id and m.email = hand.email
        and m.terminated_at is null)
    order by hand.raised_at, hand.email limit ${HANDS_MAX}`.execute(db)
}

export const selectMachineOf = (tx: Tx, training: TrainingId, email: string) =>
  sql`
    select from machine where training_id = ${training} and email = ${email} limit 1`.execute(tx)

export const updateIdleStop = (tx: Tx, minutes: number | null, training: TrainingId) =>
  sql<{ before: number | null }>`
    update training set idle_stop_minutes = ${minutes} from (select id, idle_stop_minutes as before from training
      where id = ${training} for no key update) as was
    where training.id = was.id returning was.before`.execute(tx)

export const updateWatching = (tx: Tx, withoutAsking: boolean, training: TrainingId) =>
  sql<{ before: boolean }>`
    update training set watched_without_asking = ${withoutAsking}
    from (select id, watched_without_asking as before from training where id = ${training} for no key update) as was
    where training.id = was.id returning was.before`.execute(tx)

export const selectInvitations = (db: Db, id: TrainingId) =>
  sql<InvitedLearner>`
    select u.email, u.name, u.password_hash is not null or u.signed_in_at is not null as joined, newest.*
    from (select distinct email from machine
      where training_id = ${id} and terminated_at is null and desired <> 'gone'
        and withheld_at is null) learner
    join portal_user u on u.email = learner.email and u.role = 'user'
    left join lateral ${newestInvitation()} newest on true
    order by u.email`.execute(db)

export const selectMachinesToMeasure = (db: Db) =>
  sql<MeasuredMachine>`
    select m.id, m.name, m.provider, m.place, m.location, portal_now() as now,
      greatest(a.cpu_at, r.started_at) as "knownTo"
    from machine m join run r on r.machine_id = m.id and r.stopped_at is null
    left join machine_activity a on a.machine_id = m.id
    where m.observed = 'running' and m.desired = 'running' and not m.spare order by m.number`.execute(db)

export const upsertActivity = (tx: Tx, written: string) =>
  sql<{ id: MachineId }>`
    insert into machine_activity as a (machine_id, organisation_id, cpu_percent, cpu_at, busy_at, active_minutes, active_at)
    select m.id, m.organisation_id, s.percent, s."cpuAt", s."busyAt", case when s."busyAt" is null then 0 else 1 end,
      date_trunc('minute', s."busyAt")
    from jsonb_to_recordset(${written}::jsonb)
      as s (id uuid, percent double precision, "cpuAt" timestamptz, "busyAt" timestamptz)
    join machine m on m.id = s.id order by m.id
    on conflict (machine_id) do update set cpu_percent = excluded.cpu_percent, cpu_at = excluded.cpu_at,
      busy_at = greatest(a.busy_at, excluded.busy_at), ${markActive(sql`greatest(a.busy_at, excluded.busy_at)`)}
    where a.cpu_at is null or a.cpu_at < excluded.cpu_at returning machine_id as id`.execute(tx)

export const selectOwnClasses = (db: Db, actor: Actor) =>
  sql<OwnRow>`
    select training.name, said.text, said.made_at, said.ends_at, hand.raised_at, hand.reason, mine.machines,
      case when hand.raised_at is not null then (select count(*)::int from raised_hand other
        where other.training_id = training.id and (other.raised_at, other.email) <= (hand.raised_at, hand.email)
          and exists (select from machine m where m.training_id = training.id and m.email = other.email
            and m.terminated_at is null)
      ) end as place,
      (select min(${DUE_AT}) from schedule where training_id = training.id and action = 'Stop'
        and completed_at is null and removed_at is null and ${DUE_AT} > portal_now()) as next_stop_at
    from (select m.training_id, jsonb_agg(jsonb_build_object('name', m.name,
        'stops_at', case when m.desired = 'running' then a.stops_at end) order by m.number) as machines
      from machine m left join machine_activity a on a.machine_id = m.id
      where ${isMine(actor)} group by m.training_id) as mine
    join training on training.id = mine.training_id
    join organisation on organisation.id = training.organisation_id
    left join announcement said on said.training_id = training.id and said.ends_at > portal_now()
    left join raised_hand hand on hand.training_id = training.id and hand.email = ${actor.email}
    where training.removed_at is null and ${isWindowOpen}
    order by training.name`.execute(db)

export const selectOwnMachines = (db: Db, actor: Actor) =>
  sql<{ id: MachineId; training: TrainingId }>`
    select m.id, m.training_id as training from machine m where ${isMine(actor)}`.execute(db)

export const selectPricesOfStopped = (db: Db, training: TrainingId) =>
  sql<{ id: MachineId; price: Paise }>`
    select id, paise_per_hour as price from machine where ${isStopped(training)}`.execute(db)

export const selectNextStart = (db: Db, training: TrainingId) =>
  sql<{ at: Date | null }>`
    select least(${sqlOf(nextSession, training)}, ${sqlOf(nextReady, sql`${training}`)}) as at`.execute(db)

export const selectStoppedMachines = (tx: Tx, training: TrainingId) =>
  sql<{ id: MachineId }>`
    select id from machine where ${isStopped(training)}`.execute(tx)

export const selectIdleMachines = (tx: Tx, training: TrainingId, minutes: number) =>
  sql<{ id: MachineId }>`
    select m.id from machine m ${activityJoins}
    where m.training_id = ${training} and m.desired = 'running'
      and ${idleSince} <= portal_now() - make_interval(mins => ${minutes})`.execute(tx)

export const upsertPresence = (tx: Tx, machine: MachineId, organisation: OrganisationId) =>
  sql`
    insert into machine_activity as a (machine_id, organisation_id, here_at, active_minutes, active_at)
    values (${machine}, ${organisation}, portal_now(), 1, date_trunc('minute', portal_now()))
    on conflict (machine_id) do update set here_at = excluded.here_at, warned_at = null, stops_at = null,
      ${markActive(sql`excluded.here_at`)}`.execute(tx)

export const selectSeats = (db: Db, machineIds: readonly MachineId[] | null, training: TrainingId) => {
  const condition =
    machineIds === null
      ? sql`m.training_id = ${training} and m.terminated_at is null and not m.spare`
      : sql`m.training_id = ${training} and not m.spare and m.id = any(${machineIds}::uuid[])`
  return sql<SeatRow>`
    select ${shownColumns()}, coalesce(used.seconds, 0)::bigint as seconds,
      ${LEARNER_NAME}, planned.ready_at as "readyAt",
      case when m.observed = 'running' then r.started_at end as "runningSince", ${idleSince} as "idleSince",
      a.cpu_percent as "cpuPercent", a.cpu_at as "cpuAt", a.stops_at as "stopsAt", hand.raised_at as "handRaisedAt",
      hand.reason as "handReason", a.active_minutes as "activeMinutes",
      floor(extract(epoch from portal_now() - a.active_at) / 60)::int as "activeAgo",
      (select min(s.opened_at) from remote_session s where s.machine_id = m.id and s.email = m.email
        and s.closed_at is null and s.seen_at > portal_now() - make_interval(secs => ${ABANDONED_SECONDS})
      ) as "connectedSince",
      (select max(s.closed_at) from remote_session s where s.machine_id = m.id and s.email = m.email
      ) as "disconnectedSince"
    from machine m ${activityJoins}
    left join raised_hand hand on hand.training_id = m.training_id and hand.email = m.email
    left join ${usedByMachine(sql`select m.id from machine m where ${condition}`)} as used on used.machine_id = m.id
    ${plannedTime()}
    where ${condition} order by m.number`.execute(db)
}

export const selectRoom = (db: Db, training: TrainingId) =>
  sql<{
    minutes: number | null
    unasked: boolean
    early: boolean
    text: string | null
    made_at: Date | null
    ends_at: Date | null
  }>`
    select training.idle_stop_minutes as minutes, training.watched_without_asking as unasked, training.early_start as early, announcement.text, announcement.made_at, announcement.ends_at
    from training left join announcement on announcement.training_id = training.id
      and announcement.ends_at > portal_now()
    where training.id = ${training}`.execute(db)

export const withdrawIdleWarnings = (tx: Tx) =>
  sql<{ id: MachineId }>`
    update machine_activity set warned_at = null, stops_at = null
    where stops_at is not null and machine_id not in (
      select m.id from ${STOPPABLE} and ${idleSince} <= a.warned_at) returning machine_id as id`.execute(tx)

export const addIdleWarnings = (tx: Tx) =>
  sql<{ id: MachineId }>`
    update machine_activity set warned_at = portal_now(), stops_at = portal_now() + ${mins(IDLE_WARNING_MINUTES)}
    where stops_at is null and machine_id in (
      select m.id from ${STOPPABLE}
        and ${idleSince} <= portal_now() - make_interval(mins => t.idle_stop_minutes) + ${mins(IDLE_WARNING_MINUTES)}
        and r.started_at <= portal_now() - ${mins(IDLE_STOP_GRACE_MINUTES - IDLE_WARNING_MINUTES)})
    returning machine_id as id`.execute(tx)

export const selectWarnedMachines = (tx: Tx) =>
  sql<{ id: MachineId; minutes: number }>`
    select m.id, floor(extract(epoch from portal_now() - ${idleSince}) / 60)::integer as minutes
    from ${STOPPABLE} and a.stops_at <= portal_now() and ${idleSince} <= a.warned_at
      and r.started_at <= portal_now() - ${mins(IDLE_STOP_GRACE_MINUTES)}
    order by m.id for update of m, a skip locked`.execute(tx)

export const recordIdleStops = (tx: Tx, stopped: string) => {
  const idle = sql`jsonb_to_recordset(${stopped}::jsonb) as idle (id uuid, minutes integer, reason text)`
  return sql`
    with forgotten as (
      update machine_activity set warned_at = null, stops_at = null from ${idle} where machine_id = idle.id
    )
    insert into audit (request_id, call, organisation_id, detail)
    select machine.id::text, 'classroom.stopIdle', organisation_id,
      jsonb_build_object('machine', name, 'idleMinutes', minutes)
    from machine join ${idle} on machine.id = idle.id`.execute(tx)
}
