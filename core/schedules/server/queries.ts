import { sql, type RawBuilder } from 'kysely'
import type { ScheduleId, TrainingId, OrganisationId, MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { SCHEDULE_GRACE_MINUTES, PLANNED_MAX } from '@trainyard/platform/contract/words/limits.ts'
import type { ScheduleAction } from '../contract/schedule-words.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { IS_OF_DEACTIVATED } from '@trainyard/machines/server/desired-power.ts'
import type { LockedMachine } from '@trainyard/machines/server/queries.ts'
import { sqlHook, sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { MachineResult } from './machine-result.ts'

/** SQL: instant at which a schedule is due, for queries with a single `schedule`. */
export const DUE_AT: RawBuilder<Date> = sql<Date>`coalesce(deferred_until, fires_at)`

const isPendingStop = (training: TrainingId) =>
  sql`training_id = ${training} and action = 'Stop' and completed_at is null and removed_at is null`

const anyOf = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`

/** SQL: true if the stop `s` ends something that has begun and that an extension of the access prolongs. */
export const endsWhatRuns = sqlHook<undefined, boolean>('schedules.endsWhatRuns', anyOf)

/** SQL: true if something other than a schedule started the machines after the planned time of the stop `s`. */
export const startedSince = sqlHook<undefined, boolean>('schedules.startedSince', anyOf)

/** SQL: ID of what the schedule repeats; null if it does not repeat. */
export const repeats = sqlHook<undefined, string | null>('schedules.repeats', (ids) =>
  ids.length === 0 ? sql`null::uuid` : sql`coalesce(${sql.join(ids)})`,
)

/** SQL: next time by which the machines of a training must be ready; null if none is planned. */
export const nextReady = sqlHook<RawBuilder<TrainingId>, Date | null>('schedules.nextReady', (times) =>
  times.length === 0 ? sql`null::timestamptz` : sql`least(${sql.join(times)})`,
)

/** SQL: number of starts of a training's machines that are planned otherwise than by schedules. */
export const otherPlans = sqlHook<string, number>(
  'schedules.otherPlans',
  (counts) => sql`greatest(${sql.join([sql`0`, ...counts])})`,
)

export const planned = sql`completed_at is null and removed_at is null`

const grace = sql`make_interval(mins => ${sql.lit(SCHEDULE_GRACE_MINUTES)})`

export interface DueSchedule {
  readonly id: ScheduleId
  readonly training_id: TrainingId
  readonly organisation_id: OrganisationId
  readonly action: ScheduleAction
  readonly obsolete: boolean
}

/** SQL: true for a deferred stop of schedule `s` if machines were started for the next class in the meantime. */
const isObsolete = (): RawBuilder<boolean> => sql<boolean>`(s.deferred_until is not null and (
  exists (select from schedule start
    where start.training_id = s.training_id and start.action = 'Start' and start.removed_at is null
      and not start.missed and start.fires_at > s.fires_at and start.fires_at <= s.deferred_until)
  or ${sqlOf(startedSince, undefined)}))`

/**
 * Maximum number of schedules per transaction. The next constant is the maximum number of machines. A schedule with
 * more machines gets a separate transaction.
 */
const MAX_SCHEDULES = 250

export type ScheduledResult = MachineResult & { readonly machine: LockedMachine; readonly schedule: DueSchedule }

export interface ListedSchedule {
  readonly id: string
  readonly date: string
  readonly time: string
  readonly action: ScheduleAction
  readonly completed: boolean
  readonly missed: boolean
  readonly repeats: string | null
  readonly late: number | null
}

export interface OutcomeGroup {
  readonly schedule_id: string
  readonly outcome: 'acted' | 'skipped' | 'failed'
  readonly reason: string | null
  readonly count: number
  readonly names: readonly string[]
}

const MAX_NAMES = 3

export const selectTimeZoneAndNow = (db: Db, training: string) =>
  sql<{ time_zone: string; now: Date }>`
    select organisation.time_zone, portal_now() as now
    from training join organisation on organisation.id = training.organisation_id
    where training.id = ${training}`.execute(db)

export const selectAnyMachine = (tx: Tx, training: string) =>
  sql`
    select id from machine where training_id = ${training} and terminated_at is null and desired <> 'gone'
    limit 1`.execute(tx)

export const countPlanned = (tx: Tx, training: string) =>
  sql<{ most: number }>`
    select greatest(
      (select count(*) from schedule where training_id = ${training} and completed_at is null and removed_at is null),
      ${sqlOf(otherPlans, training)}) as most`.execute(tx)

export const selectMsUntilNext = (db: Db) =>
  sql<{ ms: number | null }>`
    select (extract(epoch from min(${DUE_AT}) - portal_now()) * 1000)::float8 as ms
    from schedule where ${planned}`.execute(db)

export const completeMissedSchedules = (tx: Tx) =>
  sql`
    update schedule set completed_at = portal_now(), missed = true
    where id in (
      select id from schedule
      where ${planned} and ${DUE_AT} < portal_now() - ${grace}
      order by ${DUE_AT} limit 1000 for update skip locked)`.execute(tx)

export const claimDueSchedules = (tx: Tx) =>
  sql<DueSchedule>`
    select id, training_id, organisation_id, action, ${isObsolete()} as obsolete from schedule s
    where ${planned} and ${DUE_AT} <= portal_now() and ${DUE_AT} >= portal_now() - ${grace}
      and not exists (
        select from schedule earlier
        where earlier.training_id = s.training_id and earlier.completed_at is null and earlier.removed_at is null
          and (coalesce(earlier.deferred_until, earlier.fires_at), earlier.fires_at, earlier.created_at, earlier.action)
            < (coalesce(s.deferred_until, s.fires_at), s.fires_at, s.created_at, s.action))
    order by ${DUE_AT} limit ${MAX_SCHEDULES} for update of s skip locked`.execute(tx)

export const selectLiveMachines = (tx: Tx, due: readonly TrainingId[]) =>
  sql<{ id: MachineId; training_id: TrainingId }>`
    select id, training_id from machine
    where training_id = any(${due}::uuid[]) and terminated_at is null
      and withheld_at is null`.execute(tx)

export const selectMachinesOfDeactivated = (tx: Tx, machines: readonly MachineId[]) =>
  sql<{ id: MachineId }>`
    select id from machine where id = any(${machines}::uuid[]) and ${IS_OF_DEACTIVATED}`.execute(tx)

export const insertOutcomes = (tx: Tx, results: readonly ScheduledResult[]) =>
  sql`
    insert into schedule_outcome (schedule_id, organisation_id, machine_id, outcome, reason, generation)
    select result.schedule, result.organisation, result.machine, result.outcome, result.reason,
      case when result.outcome = 'acted' then m.generation end
    from unnest(${results.map(({ schedule }) => schedule.id)}::uuid[],
      ${results.map(({ schedule }) => schedule.organisation_id)}::uuid[],
      ${results.map(({ machine }) => machine.id)}::uuid[], ${results.map(({ outcome }) => outcome)}::text[],
      ${results.map(({ reason }) => reason)}::text[]) as result (schedule, organisation, machine, outcome, reason)
    join machine m on m.id = result.machine`.execute(tx)

export const completeSchedules = (tx: Tx, schedules: readonly ScheduleId[]) =>
  sql`
    update schedule set completed_at = portal_now()
    where id = any(${schedules}::uuid[])`.execute(tx)

export const selectSchedules = (db: Db, training: TrainingId) =>
  sql<ListedSchedule>`
    select id, coalesce((deferred_until at time zone time_zone)::date, date) as date,
      to_char(coalesce((deferred_until at time zone time_zone)::time, time), 'HH24:MI') as time, action, completed_at is not null as completed, missed,
      ${sqlOf(repeats, undefined)} as repeats,
      case when not missed then nullif(greatest(0, floor(extract(epoch from completed_at - ${DUE_AT}) / 60)::int), 0) end as late
    from (select * from schedule where training_id = ${training} and removed_at is null
      order by completed_at is not null, completed_at desc, ${DUE_AT} limit ${PLANNED_MAX}) shown
    order by ${DUE_AT}, fires_at, created_at, action`.execute(db)

export const selectOutcomes = (db: Db, schedules: readonly string[]) =>
  sql<OutcomeGroup>`
    select schedule_id, outcome, reason, count(*) as count,
      (array_agg(name order by number))[1:${sql.lit(MAX_NAMES)}] as names
    from (
      -- If a schedule acted on a machine that still fails, the machine counts as failed, unless its desired state has
      -- changed since.
      select o.schedule_id, m.name, m.number,
        case when stuck then 'failed' else o.outcome end as outcome,
        case when stuck then rtrim(m.last_error, '.') else o.reason end as reason
      from schedule_outcome o join machine m on m.id = o.machine_id
      cross join lateral (select m.last_error is not null and m.generation = o.generation as stuck) as now
      where o.schedule_id = any(${schedules}::uuid[])) as outcome_now
    group by schedule_id, outcome, reason order by outcome, reason`.execute(db)

export const deferStopsOf = (tx: Tx, from: Date, until: Date, minutes: number, training: TrainingId) =>
  sql<{ until: Date }>`
    update schedule s set deferred_until = case
      when ${DUE_AT} >= ${from} or ${from} <= portal_now() then ${until}::timestamptz
      else ${DUE_AT} + make_interval(mins => ${minutes}) end
    where ${isPendingStop(training)} and ${DUE_AT} < ${until}
      and ${DUE_AT} >= portal_now() - make_interval(mins => ${sql.lit(SCHEDULE_GRACE_MINUTES)})
      and (${DUE_AT} >= ${from} or ${from} <= portal_now() or ${sqlOf(endsWhatRuns, undefined)})
    returning deferred_until as until`.execute(tx)

export const endDeferralsOf = (tx: Tx, training: TrainingId) =>
  sql`
    update schedule set deferred_until = case when fires_at < portal_now() then portal_now() end
    where ${isPendingStop(training)} and deferred_until > portal_now()`.execute(tx)

export const cancelSchedules = (tx: Tx, trainings: readonly TrainingId[]) =>
  sql`
    update schedule set removed_at = portal_now()
    where training_id = any(${trainings}::uuid[]) and ${planned}`.execute(tx)

/** Returns the planned power changes of a training, and the last one that was made. */
export const selectPowerChanges = (db: Db, training: TrainingId, now: Date) =>
  sql<{ at: Date; action: ScheduleAction; timeZone: string }>`
    select at, action, time_zone as "timeZone" from (
      select ${DUE_AT} as at, action, time_zone from schedule where training_id = ${training} and ${planned}
      union all
      (select ${DUE_AT}, action, time_zone from schedule
        where training_id = ${training} and completed_at <= ${now} and not missed and removed_at is null
        order by completed_at desc limit 1)) as change
    order by at, action desc`.execute(db)
