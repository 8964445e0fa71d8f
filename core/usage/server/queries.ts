import { sql, type RawBuilder } from 'kysely'
import type { TrainingId, OrganisationId, MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { type Paise, BROWSER_ACCESS_SURCHARGE } from '@trainyard/platform/contract/words/money.ts'
import type { RunCause } from '../contract/run.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { RunTable } from '../tables.gen.ts'
import { BILLING_ZONE, priceAt, priceChanges } from '@trainyard/templates/server/price-at.ts'

export interface BillLine {
  readonly machine: string
  readonly email: string
  readonly learnerName: string | null
  readonly paisePerHour: Paise
  readonly guacamole: boolean
  readonly runs: number
  readonly seconds: number
  readonly amount: Paise
  readonly alive: boolean
  readonly online: boolean
}

/**
 * Joins the stored sums over the ended runs of each machine, and its open run. `offset 0` makes PostgreSQL read both
 * machine by machine through an index, however many machines it expects.
 */
const runsByMachine = (machines: RawBuilder<unknown>) => sql`(${machines}) as mine (id)
    left join lateral (
      select runs, seconds, paise_seconds from run_total where machine_id = mine.id offset 0) as ended on true
    left join lateral (
      select greatest(0, date_part('epoch', date_trunc('second', portal_now()) - started_at)::bigint) as seconds,
        paise_per_hour
      from run where machine_id = mine.id and stopped_at is null offset 0) as open on true
    where (ended.runs > 0 or open.seconds is not null)`

/** SQL: `(select machine_id, runs, seconds, amount)` */
export function billByMachine(machines: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select mine.id as machine_id, coalesce(ended.runs, 0) + (open.seconds is not null)::int as runs,
      coalesce(ended.seconds, 0) + coalesce(open.seconds, 0) as seconds,
      round((coalesce(ended.paise_seconds, 0) + coalesce(open.seconds * open.paise_per_hour, 0)) / 3600) as amount
    from ${runsByMachine(machines)})`
}

/**
 * SQL: hourly price of machine `m` on a day, in paise: the price agreed with its customer, otherwise the price copied
 * from the template when it was ordered.
 */
export const machinePriceOn = (day: RawBuilder<unknown>): RawBuilder<number> => sql`coalesce(
  ${sqlOf(priceAt, {
    organisation: sql`m.organisation_id`,
    template: sql`(select o.template_name from machine_order o where o.id = m.order_id)`,
    size: sql`m.size_name`,
    licence: sql`m.licence`,
    day,
  })} + case when m.guacamole then ${sql.lit(BROWSER_ACCESS_SURCHARGE)} else 0 end,
  m.order_paise_per_hour, m.paise_per_hour)`

export interface Period extends Pick<
  RunTable,
  'machine_id' | 'organisation_id' | 'hidden_at' | 'closed_by' | 'closed_told_at' | 'stopped_at'
> {
  readonly run: number
  readonly started_at: Date
  readonly price: Paise
  readonly currentPrice: Paise
}

/** SQL: query for `at`, the instants at which prices of organisations change. */
const changesOf = (organisations: RawBuilder<unknown>) => sql`
  select distinct day::timestamp at time zone ${sql.lit(BILLING_ZONE)} as at
  from (${sqlOf(priceChanges, { organisations })}) as changed`

const dayOf = (instant: RawBuilder<unknown>): RawBuilder<string> =>
  sql`(${instant} at time zone ${sql.lit(BILLING_ZONE)})::date`

/** Total hourly price of a set of machines from an instant on. */
export interface RateStep {
  readonly training: TrainingId
  readonly at: Date
  readonly paisePerHour: number
}

/** SQL: start of a day. If clocks go back over midnight, midnight occurs twice and the first one is used. */
const startOfDay = (date: RawBuilder<unknown>) => sql`(
  select case when ((midnight - interval '1 hour') at time zone zone)::date = ${date}
    then midnight - interval '1 hour' else midnight end
  from (select ${date}::timestamp at time zone zone as midnight) as at_midnight)`

/** Maximum number of entries. A machine that is started ten times a day reaches it after a year and a half. */
const ENTRIES = 5_000

export interface TrainingUse {
  readonly organization: string
  readonly training: string
  readonly trainingId: TrainingId
  readonly amount: Paise
}

/** SQL: seconds of the run `r` until an instant. Paise are rounded half up once over all runs. */
export const secondsUpTo = (end: RawBuilder<unknown>) => sql`greatest(0, date_part('epoch',
  least(coalesce(r.stopped_at, date_trunc('second', portal_now())), ${end}) - r.started_at)::bigint)`

/** SQL: bill of the runs `r` of a machine at an instant, in paise, rounded half up. */
export const billUpTo = (end: RawBuilder<unknown>) =>
  sql`div(2 * coalesce(sum(${secondsUpTo(end)} * r.paise_per_hour), 0) + 3600, 7200)`

/** SQL: false for a machine `m` that cannot have usage. */
export const existedWithin = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
  sql`(m.created_at, coalesce(m.terminated_at, 'infinity')) overlaps (${from}, ${to})`

export interface Latest {
  readonly machine_id: MachineId
  readonly open_since: Date | null
  readonly last_end: Date | null
}

export interface Closed {
  readonly id: MachineId
  readonly cause: RunCause
  readonly reportedAt: Date
  readonly stop: Date
}

/** SQL: `(select machine_id, seconds)` */
export function usedByMachine(machines: RawBuilder<unknown>): RawBuilder<{ machine_id: MachineId; seconds: number }> {
  return sql`(select mine.id as machine_id, coalesce(ended.seconds, 0) + coalesce(open.seconds, 0) as seconds
    from ${runsByMachine(machines)})`
}

/**
 * SQL: `(select quota_ends_at, used_up_at)`: when a machine uses up its allotted minutes, while a run is open, or when
 * it used them up.
 */
export const quotaOf = (machine: RawBuilder<unknown>, minutes: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select case when open_since is not null then open_since + make_interval(secs => left_over) end as quota_ends_at,
    case when open_since is null and left_over <= 0 then last_end end as used_up_at
  from (select max(started_at) filter (where stopped_at is null) as open_since, max(stopped_at) as last_end,
      ${minutes} * 60 - coalesce(sum(date_part('epoch', stopped_at - started_at)), 0) as left_over
    from run where machine_id = ${machine}) as runs)`

/**
 * Computes the stored sums of machines from their runs. Call it after runs ended or were changed. The trigger
 * `run_apart` has locked the machines by then, so that no other transaction changes their runs.
 */
export const updateRunTotals = (tx: Tx, machines: readonly MachineId[]) =>
  sql`
    insert into run_total as total (machine_id, organisation_id, runs, seconds, paise_seconds)
      select id, organisation_id, count(seconds), coalesce(sum(seconds), 0), coalesce(sum(seconds * price), 0)
      from (select m.id, m.organisation_id, r.paise_per_hour as price,
          date_part('epoch', r.stopped_at - r.started_at)::bigint as seconds
        from machine m left join run r on r.machine_id = m.id where m.id = any(${machines}::uuid[])) as ended
      group by id, organisation_id order by id
    on conflict (machine_id) do update
      set runs = excluded.runs, seconds = excluded.seconds, paise_seconds = excluded.paise_seconds
      where (total.runs, total.seconds, total.paise_seconds)
        is distinct from (excluded.runs, excluded.seconds, excluded.paise_seconds)`.execute(tx)

export const selectBillLines = (db: Db, training: TrainingId, email: string | null) =>
  sql<{ asOf: Date; line: BillLine | null }>`
    with mine as (
      select id, number, name, email, paise_per_hour, guacamole, terminated_at is null as alive,
        observed = 'running' as online,
        (select u.name from portal_user u where u.email = machine.email
          and u.organisation_id = machine.organisation_id) as learner_name
      from machine where training_id = ${training} and (${email}::text is null or email = ${email})
    )
    select clock.now as "asOf", case when mine.id is not null then jsonb_build_object('machine', name, 'email', email,
      'learnerName', learner_name, 'paisePerHour', paise_per_hour, 'guacamole', guacamole, 'runs', coalesce(runs, 0), 'seconds', coalesce(seconds, 0),
      'amount', coalesce(amount, 0), 'alive', alive, 'online', online) end as line
    from (select portal_now() as now) as clock left join mine on true
    left join ${billByMachine(sql`select id from mine`)} as used on used.machine_id = mine.id
    order by number`.execute(db)

export const selectLinesOfDay = (db: Db, training: TrainingId, date: string, email: string | null) =>
  sql<Omit<BillLine, 'alive' | 'online'>>`
    with day as materialized (
      select ${startOfDay(sql`date`)} as begins, ${startOfDay(sql`(date + 1)`)} as ends
      from (select o.time_zone as zone, ${date}::date as date
        from training t join organisation o on o.id = t.organisation_id where t.id = ${training}) as local_day
    )
    select m.name as machine, m.email, u.name as "learnerName", m.paise_per_hour as "paisePerHour", m.guacamole,
      used.runs, used.seconds, used.amount
    from day cross join machine m
      left join portal_user u on u.email = m.email and u.organisation_id = m.organisation_id
      cross join lateral (
        select count(*) filter (where ${secondsUpTo(sql`day.ends`)} > ${secondsUpTo(sql`day.begins`)}) as runs,
          sum(${secondsUpTo(sql`day.ends`)} - ${secondsUpTo(sql`day.begins`)})::bigint as seconds,
          (${billUpTo(sql`day.ends`)} - ${billUpTo(sql`day.begins`)})::bigint as amount
        from run r where r.machine_id = m.id and r.started_at < day.ends) as used
    where m.training_id = ${training} and (${email}::text is null or m.email = ${email}) and used.seconds > 0
    order by m.number`.execute(db)

export const hideRuns = (tx: Tx, training: TrainingId) =>
  sql`
    update run set hidden_at = portal_now()
    where hidden_at is null and machine_id in (select id from machine where training_id = ${training})`.execute(tx)

export const selectHasCustomerPrices = (db: Db, organisations: readonly OrganisationId[]) =>
  sql<{ found: boolean }>`select exists (
    ${sqlOf(priceChanges, { organisations: sql`any(${organisations}::uuid[])` })}) as found`.execute(db)

export const selectRunsToSplit = (tx: Tx, machines: readonly MachineId[]) =>
  sql<Period>`
    select r.id as run, r.machine_id, r.organisation_id, r.hidden_at, period.at as started_at, r.stopped_at, r.closed_by,
      r.closed_told_at, price.paise as price, r.paise_per_hour as "currentPrice"
    from machine m
      cross join lateral (select * from run where machine_id = m.id order by started_at desc, id desc limit 1) as r
      cross join lateral (
        select r.started_at as at
        union
        select change.at from (${changesOf(sql`m.organisation_id`)}) as change
        where change.at > r.started_at and change.at < coalesce(r.stopped_at, portal_now())) as period
      cross join lateral (select ${machinePriceOn(dayOf(sql`period.at`))} as paise) as price
    where m.id = any(${machines}::uuid[]) order by r.id, period.at`.execute(tx)

export const updateFirstPeriods = (tx: Tx, periods: string) =>
  sql`
    update run set paise_per_hour = period.price, stopped_at = period.stopped_at, closed_by = period.closed_by,
      closed_told_at = period.closed_told_at
    from jsonb_to_recordset(${periods}::jsonb) as period (
      run bigint, price bigint, stopped_at timestamptz, closed_by text, closed_told_at timestamptz)
    where run.id = period.run`.execute(tx)

export const insertLaterPeriods = (tx: Tx, periods: string) =>
  sql`
    insert into run (machine_id, organisation_id, hidden_at, started_at, stopped_at, paise_per_hour, opened_by,
      opened_told_at, closed_by, closed_told_at)
    select machine_id, organisation_id, hidden_at, started_at, stopped_at, price, 'price changed', started_at, closed_by,
      closed_told_at
    from jsonb_to_recordset(${periods}::jsonb) as period (
      machine_id uuid, organisation_id uuid, hidden_at timestamptz, started_at timestamptz, stopped_at timestamptz,
      price bigint, closed_by text, closed_told_at timestamptz)`.execute(tx)

export const deleteRunsAfter = (tx: Tx, machine: MachineId, instant: Date) =>
  sql<{ started_at: Date }>`
    delete from run r where r.machine_id = ${machine} and r.stopped_at is null and r.opened_by = 'price changed'
      and r.started_at > ${instant} and exists (select from run before where before.machine_id = r.machine_id
        and before.stopped_at = r.started_at and before.closed_by = 'price changed')
    returning started_at`.execute(tx)

export const selectFutureRates = (db: Db, organisation: OrganisationId, of: RawBuilder<unknown>) =>
  sql<RateStep>`
    select m.training_id as training, change.at, sum(${machinePriceOn(dayOf(sql`change.at`))})::float8 as "paisePerHour"
    from (${changesOf(sql`${organisation}`)}) as change cross join machine m
    where m.organisation_id = ${organisation} and change.at > portal_now() and m.terminated_at is null and ${of}
    group by m.training_id, change.at order by change.at`.execute(db)

export const selectDailyUse = (db: Db, training: TrainingId, days: number, email: string | null) =>
  sql<{ date: string; seconds: number; amount: number; zone: string }>`
    with local_time as (
      select o.time_zone as zone, date_trunc('second', portal_now()) as now,
        (portal_now() at time zone o.time_zone)::date as today
      from training t join organisation o on o.id = t.organisation_id where t.id = ${training}
    ), day as materialized (
      select date, zone, now, ${startOfDay(sql`date`)} as begins, ${startOfDay(sql`(date + 1)`)} as ends
      from local_time, lateral (select today - back as date from generate_series(0, ${days}::int - 1) as back) as dates
    ), usage as (
      select r.machine_id, r.started_at, greatest(r.started_at, coalesce(r.stopped_at, local_time.now)) as ended_at,
        r.paise_per_hour as price
      from local_time, machine m cross join lateral (
        select machine_id, started_at, stopped_at, paise_per_hour from run where machine_id = m.id offset 0) as r
      where m.training_id = ${training} and (${email}::text is null or m.email = ${email})
    ), first as (
      select min(begins) as begins from day
    ), piece as (
      -- Usage before the first day. The first day's amount is computed by subtracting the bill for this usage.
      select machine_id, null::date as date, started_at as begins, least(ended_at, first.begins) as ends, price
      from usage, first where started_at < first.begins
      union all
      select machine_id, day.date, greatest(started_at, day.begins), least(ended_at, day.ends), price
      from (
        select usage.*, (greatest(started_at, first.begins) at time zone local_time.zone)::date as first_day,
          (ended_at at time zone local_time.zone)::date as last_day
        from usage, first, local_time where ended_at > first.begins
      ) as recent
      cross join lateral generate_series(0, last_day - first_day) as day_offset
      join day on day.date = first_day + day_offset
    ), running_total as (
      select machine_id, date, sum(date_part('epoch', ends - begins)::bigint) as seconds,
        sum(sum(date_part('epoch', ends - begins)::bigint * price)) over through_day as cost
      from piece group by machine_id, date
      window through_day as (partition by machine_id order by date nulls first)
    ), billed as (
      -- Cost in paise-seconds per hour, divided by 3600 and rounded half up.
      select date, seconds, bill - lag(bill, 1, 0::numeric) over (partition by machine_id order by date nulls first) as amount
      from running_total, lateral (select div(2 * cost + 3600, 7200) as bill) as rounded
    )
    select day.date, day.zone, coalesce(sum(seconds), 0)::bigint as seconds, coalesce(sum(amount), 0)::bigint as amount
    from day left join billed on billed.date = day.date
    group by day.date, day.zone order by day.date`.execute(db)

export interface LoggedRun {
  readonly start: Date
  readonly stop: Date | null
  readonly seconds: number
}

/** SQL: the runs of a machine that are not hidden. */
const runsOf = (machine: RawBuilder<unknown>) => sql`
    select session, min(started_at) as start, case when bool_and(stopped_at is not null) then max(stopped_at) end as stop,
      sum(greatest(0, extract(epoch from coalesce(stopped_at, date_trunc('second', portal_now())) - started_at)))::bigint
        as seconds
    from (select id, started_at, stopped_at,
        -- A change of the price splits the usage record, but not the session.
        count(*) filter (where opened_by <> 'price changed') over (order by started_at, id) as session
      from run where machine_id = ${machine} and hidden_at is null) as record
    group by session`

export const selectRuns = (db: Db, machine: MachineId) =>
  sql<LoggedRun>`
    select start, stop, seconds from (${runsOf(sql`${machine}`)}) as logged
    order by session desc limit ${ENTRIES}`.execute(db)

/** @param email limits the list to machines that this learner sees; null for all */
export const selectRunsOfTraining = (db: Db, training: TrainingId, email: string | null) =>
  sql<LoggedRun & { machine: string; email: string; learnerName: string | null }>`
    select m.name as machine, m.email, u.name as "learnerName", logged.start, logged.stop, logged.seconds
    from machine m
      left join portal_user u on u.email = m.email and u.organisation_id = m.organisation_id
      cross join lateral (${runsOf(sql`m.id`)}) as logged
    where m.training_id = ${training} and (${email}::text is null or m.email = ${email} and m.withheld_at is null)
    order by logged.start desc, m.number limit ${ENTRIES}`.execute(db)

export const selectSupplierToday = (db: Db) =>
  sql<{ day: string }>`
    select to_char(portal_now() at time zone ${BILLING_ZONE}, 'YYYY-MM-DD') as day`.execute(db)

export const selectUsedBetween = (db: Db, from: Date, to: Date) =>
  sql<TrainingUse>`
    select o.name as organization, t.name as training, t.id as "trainingId", sum(used.amount)::bigint as amount
    from machine m join training t on t.id = m.training_id join organisation o on o.id = m.organisation_id
    cross join lateral (
      select (${billUpTo(sql`${to}::timestamptz`)} - ${billUpTo(sql`${from}::timestamptz`)})::bigint as amount
      from run r where r.machine_id = m.id) as used
    where ${existedWithin(sql`${from}::timestamptz`, sql`${to}::timestamptz`)}
    group by o.name, t.name, t.id having sum(used.amount) > 0`.execute(db)

export const selectLastMonths = (db: Db, count: number) =>
  sql<{ month: string }>`
    select to_char(date_trunc('month', portal_now() at time zone ${BILLING_ZONE}) - make_interval(months => back), 'YYYY-MM-DD') as month
    from generate_series(1, ${count}::int) as back order by back`.execute(db)

export const lockChargingOf = (tx: Tx, organisation: OrganisationId) =>
  sql`select pg_advisory_xact_lock(hashtext('charging'), hashtext(${organisation}::text))`.execute(tx)

export const selectRunState = (tx: Tx, ids: readonly MachineId[]) =>
  sql<Latest>`
    select machine_id, max(started_at) filter (where stopped_at is null) as open_since, max(stopped_at) as last_end
    from run where machine_id = any(${ids}::uuid[]) group by machine_id`.execute(tx)

export const endRuns = (tx: Tx, closed: readonly Closed[]) =>
  sql`
    update run set stopped_at = ended.stop, closed_by = ended.cause, closed_told_at = ended.reported_at
    from unnest(${closed.map(({ id }) => id)}::uuid[], ${closed.map(({ stop }) => stop.toISOString())}::timestamptz[],
      ${closed.map(({ cause }) => cause)}::text[], ${closed.map(({ reportedAt }) => reportedAt.toISOString())}::timestamptz[])
      as ended (id, stop, cause, reported_at)
    where run.machine_id = ended.id and run.stopped_at is null`.execute(tx)

export const selectSecondsUsed = (db: Db | Tx, machines: readonly MachineId[]) =>
  sql<{ machine_id: MachineId; seconds: number }>`
    select * from ${usedByMachine(sql`select unnest(${machines}::uuid[])`)} as used`.execute(db)

export const selectBill = (db: Db, training: TrainingId, email: string | null) =>
  sql<{ amount: number; seconds: number; online: number; offline: number }>`
    with mine as (
      select id, observed = 'running' as online, terminated_at is null as alive
      from machine where training_id = ${training} and (${email}::text is null or email = ${email})
    ), used as ${billByMachine(sql`select id from mine`)}
    select coalesce((select sum(amount) from used), 0)::bigint as amount,
      coalesce((select sum(seconds) from used), 0)::bigint as seconds,
      (select count(*) from mine where alive and online) as online,
      (select count(*) from mine where alive and not online) as offline`.execute(db)

/** SQL: true for machines `m` of a training that a planned start starts. */
export const canStart = (training: TrainingId) =>
  sql`m.training_id = ${training} and m.terminated_at is null and m.desired <> 'gone'`

/** Returns the price per hour of all machines of a training, and of those that run. */
export const sumHourlyPrices = (db: Db, training: TrainingId) =>
  sql<{ paise: number; running: number }>`
    select coalesce(sum(m.paise_per_hour), 0)::bigint as paise,
      coalesce(sum(r.paise_per_hour), 0)::bigint as running
    from machine m left join run r on r.machine_id = m.id and r.stopped_at is null
    where ${canStart(training)}`.execute(db)
