import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { home } from '@trainyard/contract/calls/home.ts'
import { EXPIRY_WARNINGS } from '@trainyard/contract/words/expiry.ts'
import type { TrainingId, OrderId, OrganisationId } from '@trainyard/contract/words/ids.ts'
import { DEFAULT_TIME_ZONE } from '@trainyard/contract/words/limits.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import type { Db } from '../../db/schema.ts'
import { DUE_AT } from '../lab/schedule/queries.ts'
import { usedByMachine, billByMachine } from '../money/meter/queries.ts'
import { NEWEST_INVITATION } from '../people/user/invitation-state.ts'
import { usedUpCount, firstUsedUp, positiveBalances, liveCounts } from './counters.ts'

export type Attention = ReplyOf<typeof home.attention>

export interface Counted {
  readonly total: number
}

const ROWS_MAX = 5

/** Delay after which corrections of a run's end from the machine's own records have arrived. */
const CORRECTION_DELAY = '15 minutes'

const DAYS_SHOWN = 30

export interface Planned {
  readonly training: string
  readonly training_id: TrainingId
  readonly order_id: OrderId | null
  readonly date: string
  readonly time: string
  readonly ready_at: Date
  readonly started: boolean
}

const machinesOf = ({ training_id, order_id }: Planned) => sql`(
  select * from machine where training_id = ${training_id} and terminated_at is null and desired <> 'gone'
    and (${order_id}::uuid is null or order_id = ${order_id}))`

export interface NextReadyBy {
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
    select o.name as organization, t.name as training, m.name as machine, m.last_error as reason,
      m.resource_group as "resourceGroup", m.refused,
      count(*) over () as total
    from machine m join training t on t.id = m.training_id join organisation o on o.id = m.organisation_id
    where m.terminated_at is null and m.last_error is not null and m.desired <> 'gone'
    order by m.attempts desc, m.number limit ${ROWS_MAX}`.execute(db)

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
  sql<{ resourceGroup: string; name: string; since: Date } & Counted>`
    select resource_group as "resourceGroup", name, first_seen_at as since, count(*) over () as total
    from orphan where gone_at is null order by first_seen_at, resource_group, name limit ${ROWS_MAX}`.execute(db)

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

export const selectExpiringCredentials = (db: Db) =>
  sql<ReplyOf<typeof home.expiring>['credentials'][number]>`
    select name, to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD') as "endsOn",
      floor(extract(epoch from ends_at - portal_now()) / 86400)::int as days
    from expiring_credential where ends_at < portal_now() + ${EXPIRY_WARNINGS[0]} * interval '1 day'
    order by ends_at, name limit 20`.execute(db)

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

export const selectNextReadyBy = (db: Db, id: OrganisationId) =>
  sql<Planned>`
    select t.name as training, r.training_id, r.order_id, r.date, r.time, r.ready_at,
      r.started_at is not null as started
    from ready_by r join training t on t.id = r.training_id
    where r.organisation_id = ${id} and r.removed_at is null and not r.missed and t.removed_at is null
      and r.ready_at > portal_now() - interval '30 minutes'
    order by r.ready_at limit 1`.execute(db)

export const countSeats = (db: Db, planned: Planned) =>
  sql<{ seats: number; ready: number }>`
    select count(*)::int as seats, (count(*) filter (where desired = 'running' and observed = 'running'
      and not password_due and reset_asked_at is null))::int as ready
    from ${machinesOf(planned)} as m`.execute(db)

export const selectSeatProblems = (db: Db, planned: Planned, readyAt: Date) =>
  sql<{
    place: string | null
    hours: number
    uninvited: number
    bounced: string[] | null
    imageless: number
  }>`
    with seat as (select * from ${machinesOf(planned)} as m)
    select (
        select format('%s in %s', need.vm_size, need.location)
        from (select location, vm_size, count(*) as machines from seat where observed <> 'running' group by 1, 2) as need
        join cloud_place p on p.location = need.location
        left join cloud_size s on s.location = need.location and lower(s.size) = lower(need.vm_size)
        where s.size is null or s.withheld is not null or exists (
          select from cloud_limit l where l.location = need.location
            and (l.family = 'cores' or lower(l.family) = lower(s.family))
            and l.allowed - l.used < s.cores * need.machines)
        limit 1
      ) as place,
      (select count(*) from seat left join ${usedByMachine(sql`select id from seat`)} as used
        on used.machine_id = seat.id where used.seconds >= seat.allotted_minutes * 60)::int as hours,
      (select count(distinct u.id) from seat join portal_user u on u.email = seat.email
        where u.password_hash is null and u.signed_in_at is null and not exists (
          select from invitation i where i.user_id = u.id and i.purpose = 'invitation' and i.used_at is null
            and i.revoked_at is null and i.bounced_at is null and invitation_end(i) > ${readyAt}))::int as uninvited,
      (select array_agg(email order by email) from (select distinct u.email from seat
        join portal_user u on u.email = seat.email and u.password_hash is null and u.signed_in_at is null
        join lateral ${NEWEST_INVITATION} as newest on newest.bounced_at is not null) as b) as bounced,
      (select count(*) from seat left join image i on i.image_id = seat.image_id
        left join cloud_terms c on c.publisher = seat.plan_publisher and c.product = seat.plan_product
          and c.plan = split_part(seat.image_id, ':', 3)
        where seat.first_seen_at is null
          and ((i.id is not null and i.ready_at is null) or c.accepted is false))::int as imageless`.execute(db)

export const selectTrainingsNow = (db: Db, id: OrganisationId, timeZone: string) =>
  sql<NextReadyBy>`
    with live as materialized (
      select id, training_id, observed, desired, last_error, allotted_minutes, create_later from machine
      where organisation_id = ${id} and terminated_at is null
    ), place as materialized (
      select distinct training_id from live
    ), ever as materialized (
      -- Includes all machines that ever ran in the training, because bills and quotas include terminated machines.
      select m.id, m.allotted_minutes, place.training_id from place
      cross join lateral (select id, allotted_minutes from machine where training_id = place.training_id offset 0) as m
    ), used as materialized ${billByMachine(sql`select id from ever`)}, whole as (
      select ever.training_id, sum(used.amount) as amount, sum(used.seconds) as seconds,
        sum(ever.allotted_minutes)::bigint as total
      from ever left join used on used.machine_id = ever.id group by ever.training_id
    ), now as (
      select live.training_id,
        count(*) filter (where observed = 'running' and desired <> 'gone') as running,
        count(*) filter (where not (observed = 'running' and desired <> 'gone')) as stopped,
        count(*) filter (where create_later and desired <> 'gone') as planned,
        count(*) filter (where last_error is not null and desired <> 'gone') as failing,
        count(*) filter (where used.seconds >= allotted_minutes * 60 * ${RUNNING_OUT_SHARE}::float8) as running_out
      from live left join used on used.machine_id = live.id group by live.training_id
    )
    select t.name as training, now.running, now.stopped, now.planned, now.failing, now.running_out, whole.total,
      coalesce(whole.seconds, 0)::bigint as seconds, coalesce(whole.amount, 0)::bigint as amount, next.at::date as next_date,
      to_char(next.at, 'HH24:MI') as next_time, next.action as next_action
    from now join whole on whole.training_id = now.training_id
    -- Reads the few machines one by one through an index, because the planner may expect many machines.
    cross join lateral (select name from training where id = now.training_id offset 0) as t
    left join lateral (
      select action, at at time zone ${timeZone} as at from (
        (select action, ${DUE_AT} as at from schedule
          where training_id = now.training_id and completed_at is null and removed_at is null
            and ${DUE_AT} > portal_now()
          order by ${DUE_AT} limit 1)
        union all
        (select 'Ready', ready_at from ready_by
          where training_id = now.training_id and not missed and removed_at is null and ready_at > portal_now()
          order by ready_at limit 1)) as ahead
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
