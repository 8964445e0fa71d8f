import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { home } from '../contract/home.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { DEFAULT_TIME_ZONE } from '@trainyard/platform/contract/words/limits.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { ScheduleAction } from '@trainyard/schedules/contract/schedule-words.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { DUE_AT, nextReady } from '@trainyard/schedules/server/queries.ts'
import { billByMachine } from '@trainyard/usage/server/queries.ts'
import { usedUpCount, firstUsedUp, positiveBalances, liveCounts } from './counters.ts'

export type Attention = ReplyOf<typeof home.attention>

export interface Counted {
  readonly total: number
}

const ROWS_MAX = 5

/** Machines that are named per reason. */
const NAMED_MAX = 20

/** Delay after which corrections of a run's end from the machine's own records have arrived. */
const CORRECTION_DELAY = '15 minutes'

const DAYS_SHOWN = 30

export interface TrainingNow {
  readonly training: string
  readonly running: number
  readonly stopped: number
  readonly planned: number
  readonly failing: number
  readonly running_out: number
  readonly seconds: number
  readonly total: number | null
  readonly amount: number
  readonly next_date: string | null
  readonly next_time: string
  readonly next_action: ScheduleAction | 'Ready'
}

const RUNNING_OUT_SHARE = 0.9

export type Usage = ReplyOf<typeof home.usage>

const TRAININGS_MAX = 100

export const selectFailingMachines = (db: Db) =>
  sql<Attention['failing']['first'][number] & Counted>`
    with failing as (
      select o.name as organization, t.name as training, m.name as machine, m.number, m.attempts, m.last_error as reason,
        m.place_group as "group", m.refused
      from machine m join training t on t.id = m.training_id join organisation o on o.id = m.organisation_id
      where m.terminated_at is null and m.last_error is not null and m.desired <> 'gone'
    )
    select reason, refused, count(*)::int as machines, (sum(count(*)) over ())::int as total,
      (array_agg(jsonb_build_object('organization', organization, 'training', training, 'machine', machine,
        'group', "group") order by number))[1:${sql.lit(NAMED_MAX)}] as first
    from failing group by reason, refused
    order by max(attempts) desc, min(number) limit ${ROWS_MAX}`.execute(db)

export const selectUsedUpMachines = (db: Db) =>
  sql<Omit<Attention['quotaUsedUp']['first'][number], 'reason'> & Counted & { minutes: number }>`
    select o.name as organization, t.name as training, m.name as machine, m.allotted_minutes as minutes,
      ${usedUpCount} as total
    from ${firstUsedUp(ROWS_MAX)} as used_up join machine m on m.id = used_up.id
    join training t on t.id = m.training_id join organisation o on o.id = m.organisation_id
    order by used_up.since, m.number`.execute(db)

export const selectUnpaidBalances = (db: Db) =>
  sql<{ organization: string; balance: Paise } & Counted>`
    select o.name as organization, owing.balance, count(*) over () as total
    from ${positiveBalances} as owing join organisation o on o.id = owing.organisation_id
    order by owing.balance desc, o.name limit ${ROWS_MAX}`.execute(db)

export const selectUncreditedPayments = (db: Db) =>
  sql<Attention['uncredited']['first'][number] & Counted>`
    select o.name as organization, p.order_id as order, p.last_error as reason, count(*) over () as total
    from payment p join organisation o on o.id = p.organisation_id
    where p.last_error is not null and p.attempts = 0
    order by p.created_at limit ${ROWS_MAX}`.execute(db)

export const selectListedOrphans = (db: Db) =>
  sql<{ group: string; name: string; since: Date } & Counted>`
    select place_group as "group", name, first_seen_at as since, count(*) over () as total
    from orphan where gone_at is null order by first_seen_at, place_group, name limit ${ROWS_MAX}`.execute(db)

/** Seconds between the runs of a task that is listed after its first failure. */
const SELDOM = 600

export const selectFailingTasks = (db: Db) =>
  sql<{ name: string; reason: string; since: Date } & Counted>`
    select name, last_error as reason, coalesce(started_at, portal_now()) as since, count(*) over () as total
    from task where last_error is not null and attempts >= case when every >= ${SELDOM} then 1 else 3 end
    order by every desc, name limit ${ROWS_MAX}`.execute(db)

export const selectUpdateNotice = (db: Db) =>
  sql<{ version: string; url: string }>`select version, url from update_notice`.execute(db)

export const upsertUpdateNotice = (db: Db, { version, url }: { readonly version: string; readonly url: string }) =>
  sql`
    insert into update_notice (version, url) values (${version}, ${url})
    on conflict (id) do update set version = excluded.version, url = excluded.url, seen_at = portal_now()`.execute(db)

export const deleteUpdateNotice = (db: Db) => sql`delete from update_notice`.execute(db)

export const insertDayTotals = (db: Db) =>
  sql`
    with today as (
      select ((portal_now() - ${CORRECTION_DELAY}::interval) at time zone ${DEFAULT_TIME_ZONE})::date as day
    ), missing as materialized (
      select d::date as day, d::date::timestamp at time zone ${DEFAULT_TIME_ZONE} as begins,
        (d::date + 1)::timestamp at time zone ${DEFAULT_TIME_ZONE} as ends
      from today, generate_series(today.day - ${DAYS_SHOWN}::int, today.day - 1, interval '1 day') as d
      where not exists (select from day_total where day_total.day = d::date)
    ), recent as materialized (
      select machine_id, started_at, stopped_at, paise_per_hour from run
      where started_at < (select max(ends) from missing)
        and (stopped_at is null or stopped_at > (select min(begins) from missing))
    ), piece as (
      select missing.day, machine_id, paise_per_hour as price, date_part('epoch', least(coalesce(stopped_at, ends), ends)
        - greatest(started_at, begins))::bigint as seconds
      from missing join recent on started_at < ends and (stopped_at is null or stopped_at > begins)
    ), total as materialized (
      -- The runs are summed before the join with the days. Otherwise PostgreSQL may read the runs of all missing days
      -- for each day.
      select day, count(distinct machine_id) as machines, div(2 * sum(seconds * price) + 3600, 7200) as amount
      from piece group by day
    )
    insert into day_total (day, machines, amount_paise)
    select day, coalesce(machines, 0), coalesce(amount, 0) from missing left join total using (day)
    on conflict do nothing`.execute(db)

export const selectCounts = (db: Db) =>
  sql<Omit<ReplyOf<typeof home.dashboard>, `gcp${string}` | 'projects'>>`
    select (select count(*) from organisation where removed_at is null) as organization,
      (select count(*) from portal_user) as users,
      live.trainings as "azureTraining",
      (select count(*) from template) as templates,
      live.machines as "virtualMachines",
      (select count(*) from ${positiveBalances} as owing) as "invoicePending",
      ${usedUpCount} as "azureQuotaExceeded",
      (select count(*) from sandbox where ended_at is null) as "azureSandbox",
      (select count(*) from aws_user where ended_at is null) as "awsSandbox"
    from ${liveCounts} as live`.execute(db)

const LISTED_MAX = 200

/** @param only name of the only training; null: all */
export const selectTrainingsNow = (
  db: Db,
  id: OrganisationId,
  { timeZone, only }: { readonly timeZone: string; readonly only: string | null },
) =>
  sql<TrainingNow>`
    with live as materialized (
      select id, training_id, observed, desired, last_error, allotted_minutes, create_later from machine
      where organisation_id = ${id} and terminated_at is null and not spare
    ), place as materialized (
      select id as training_id from training
      where organisation_id = ${id} and removed_at is null and (${only}::text is null or name = ${only})
      order by id in (select training_id from live) desc, created_at desc limit ${LISTED_MAX}
    ), ever as materialized (
      -- Includes all machines that ever ran in the training, because bills and quotas include terminated machines.
      select m.id, m.allotted_minutes, place.training_id from place
      cross join lateral (select id, allotted_minutes from machine where training_id = place.training_id offset 0) as m
    ), used as materialized ${billByMachine(sql`select id from ever`)}, whole as (
      select place.training_id, sum(used.amount) as amount, sum(used.seconds) as seconds,
        sum(ever.allotted_minutes)::bigint as total
      from place left join ever on ever.training_id = place.training_id left join used on used.machine_id = ever.id
      group by place.training_id
    ), now as (
      select live.training_id,
        count(*) filter (where observed = 'running' and desired <> 'gone') as running,
        count(*) filter (where not (observed = 'running' and desired <> 'gone')) as stopped,
        count(*) filter (where create_later and desired <> 'gone') as planned,
        count(*) filter (where last_error is not null and desired <> 'gone') as failing,
        count(*) filter (where used.seconds >= allotted_minutes * 60 * ${RUNNING_OUT_SHARE}::float8) as running_out
      from live left join used on used.machine_id = live.id group by live.training_id
    )
    select t.name as training, coalesce(now.running, 0) as running, coalesce(now.stopped, 0) as stopped,
      coalesce(now.planned, 0) as planned, coalesce(now.failing, 0) as failing,
      coalesce(now.running_out, 0) as running_out, whole.total,
      coalesce(whole.seconds, 0)::bigint as seconds, coalesce(whole.amount, 0)::bigint as amount, next.at::date as next_date,
      to_char(next.at, 'HH24:MI') as next_time, next.action as next_action
    from whole left join now on now.training_id = whole.training_id
    -- Reads the few machines one by one through an index, because the planner may expect many machines.
    cross join lateral (select name from training where id = whole.training_id offset 0) as t
    left join lateral (
      select action, at at time zone ${timeZone} as at from (
        (select action, ${DUE_AT} as at from schedule
          where training_id = whole.training_id and completed_at is null and removed_at is null
            and ${DUE_AT} > portal_now()
          order by ${DUE_AT} limit 1)
        union all
        (select 'Ready', at from (select ${sqlOf(nextReady, sql`whole.training_id`)} as at) as ready where at is not null)) as ahead
      -- A session has a ready time and a Start at the same time.
      order by ahead.at, action limit 1
    ) as next on true
    order by t.name`.execute(db)

export const selectRunningTrainings = (db: Db) =>
  sql<Usage['trainings'][number] & { allRunning: number; allPaise: number; allTrainings: number }>`
    with open as (
      select m.training_id, count(*) as running, sum(r.paise_per_hour)::bigint as paise
      from run r join machine m on m.id = r.machine_id where r.stopped_at is null group by m.training_id
    ), summed as (
      select open.*, sum(running) over ()::bigint as all_running, sum(paise) over ()::bigint as all_paise,
        count(*) over () as all_trainings
      from open order by running desc, training_id limit ${TRAININGS_MAX}
    )
    select o.name as organization, t.name as training, running::int, paise as "paisePerHour",
      all_running as "allRunning", all_paise as "allPaise", all_trainings as "allTrainings"
    from summed join training t on t.id = summed.training_id join organisation o on o.id = t.organisation_id
    order by running desc, o.name, t.name`.execute(db)

export const selectLastDays = (db: Db) =>
  sql<Usage['days'][number]>`
    select to_char(day, 'YYYY-MM-DD') as date, machines, amount_paise as "amountPaise" from day_total
    where day >= (portal_now() at time zone ${DEFAULT_TIME_ZONE})::date - ${DAYS_SHOWN}::int order by day`.execute(db)
