import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { classSession } from '../contract/class-session.ts'
import type { RowState } from '../contract/class-session-words.ts'
import type { Minutes } from '@trainyard/platform/contract/words/duration.ts'
import type {
  ClassSessionId,
  ClassSeriesId,
  TrainingId,
  MachineId,
  OrderId,
  OrganisationId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { usedByMachine } from '@trainyard/usage/server/queries.ts'
import { invitationEnd, newestInvitation } from '@trainyard/users/server/invitation-state.ts'
import type { Occurrence } from './occurrences.ts'

export interface Found {
  readonly id: ClassSessionId
  readonly series_id: ClassSeriesId
  readonly date: string
  readonly start_time: string
  readonly stop_time: string
  readonly starts_at: Date
  readonly stops_at: Date
  readonly skipped_at: Date | null
  readonly removed_at: Date | null
  readonly weekdays: number[] | null
  readonly limits_access: boolean
}

export interface ListedClassSession {
  readonly id: string
  readonly date: string
  readonly start: string
  readonly stop: string
  readonly starts_at: Date
  readonly stops_at: Date
  readonly skipped: boolean
  readonly moved: boolean
  readonly weekdays: number[] | null
  readonly until: string
  readonly limits_access: boolean
  readonly ready: RowState | null
  readonly power_on: RowState | null
  readonly shut_down: RowState | null
  readonly holiday: string | null
}

const scheduleState = (action: 'Start' | 'Stop', at: 'starts_at' | 'stops_at') => sql<RowState | null>`(
  select case when missed then 'missed' when completed_at is not null then 'done' else 'pending' end
  from schedule row where row.training_id = s.training_id and row.action = ${action}
    and row.fires_at = s.${sql.ref(at)} and row.removed_at is null)`

export type Listed = ReplyOf<typeof classSession.list>

export type Event = Listed['events'][number]

export const selectSessionsOfSeriesFrom = (db: Db, series: ClassSeriesId, startsAt: Date) =>
  sql<{ id: ClassSessionId }>`
    select id from class_session
    where series_id = ${series} and starts_at >= ${startsAt} and starts_at > portal_now()
      and removed_at is null
    order by starts_at`.execute(db)

export const removeSessionRows = (tx: Tx, sessions: readonly ClassSessionId[]) =>
  sql`update class_session set removed_at = portal_now() where id = any(${sessions}::uuid[])`.execute(tx)

export const endSeries = (tx: Tx, last: string, series: ClassSeriesId) =>
  sql`
    update class_series set until_date = least(until_date, greatest(from_date, ${last}::date))
    where id = ${series}`.execute(tx)

export const endRecurrences = (tx: Tx, last: string, sessions: readonly ClassSessionId[]) =>
  sql`
    update recurrence r set until_date = least(until_date, greatest(from_date, ${last}::date))
    where exists (select from schedule s where s.recurrence_id = r.id and s.class_session_id = any(${sessions}::uuid[]))`.execute(
    tx,
  )

export const selectSession = (db: Db | Tx, id: string, training: TrainingId) =>
  sql<Found>`
    select s.id, s.series_id, s.date, s.start_time, s.stop_time, s.starts_at, s.stops_at, s.skipped_at, s.removed_at,
      series.weekdays, series.limits_access
    from class_session s join class_series series on series.id = s.series_id
    where s.id::text = ${id} and s.training_id = ${training}`.execute(db)

export const selectOverlappingDates = (
  db: Db,
  sessions: readonly Occurrence[],
  training: TrainingId,
  replaced: readonly ClassSessionId[],
) =>
  sql<{ date: string }>`
    select distinct planned.date::text as date
    from unnest(${sessions.map(({ date }) => date)}::text[], ${sessions.map(({ startsAt }) => startsAt)}::timestamptz[],
      ${sessions.map(({ stopsAt }) => stopsAt)}::timestamptz[]) as planned (date, starts_at, stops_at)
    join class_session s on s.training_id = ${training} and s.removed_at is null and s.skipped_at is null
      and s.starts_at < planned.stops_at and s.stops_at > planned.starts_at
    where s.id <> all(${replaced}::uuid[])`.execute(db)

export const selectOpposingDates = (
  db: Db,
  training: TrainingId,
  replaced: readonly ClassSessionId[],
  sessions: readonly Occurrence[],
) =>
  sql<{ date: string }>`
    select distinct date::text as date from schedule
    where training_id = ${training} and removed_at is null and completed_at is null
      and (class_session_id is null or class_session_id <> all(${replaced}::uuid[]))
      and (action = 'Stop' and fires_at = any(${sessions.map(({ startsAt }) => startsAt)}::timestamptz[])
        or action = 'Start' and fires_at = any(${sessions.map(({ stopsAt }) => stopsAt)}::timestamptz[]))
    order by date`.execute(db)

export const selectMachinesWithQuota = (db: Db, training: TrainingId) =>
  sql<{ id: MachineId; allotted_minutes: Minutes }>`
    select id, allotted_minutes from machine
    where training_id = ${training} and terminated_at is null and desired <> 'gone' and allotted_minutes is not null`.execute(
    db,
  )

export const countOtherHolidays = (tx: Tx, id: OrganisationId, date: string) =>
  sql<{ count: number }>`
    select count(*) as count from holiday where organisation_id = ${id} and date <> ${date}`.execute(tx)

export const selectSessionRows = (db: Db, training: TrainingId, from: string, until: string) =>
  sql<ListedClassSession>`
    select s.id, s.date, to_char(s.start_time, 'HH24:MI') as start, to_char(s.stop_time, 'HH24:MI') as stop,
      s.starts_at, s.stops_at, s.skipped_at is not null as skipped, s.moved,
      series.weekdays, series.until_date as until, series.limits_access,
      (select case when missed then 'missed' when started_at is not null then 'done' else 'pending' end
        from ready_by row where row.training_id = s.training_id and row.ready_at = s.starts_at
          and row.order_id is null and row.removed_at is null) as ready,
      ${scheduleState('Start', 'starts_at')} as power_on, ${scheduleState('Stop', 'stops_at')} as shut_down,
      holiday.name as holiday
    from class_session s join class_series series on series.id = s.series_id
    left join holiday on holiday.organisation_id = s.organisation_id and holiday.date = s.date
    where s.training_id = ${training} and s.removed_at is null and s.date between ${from}::date - 1 and ${until}
    order by s.starts_at`.execute(db)

export const selectOtherEvents = (db: Db, training: TrainingId, from: string, until: string) =>
  sql<Event>`
    select date::text as date, to_char(time, 'HH24:MI') as time, action as kind from schedule e
    where training_id = ${training} and removed_at is null and date between ${from} and ${until}
      and not exists (select from class_session s
        where s.training_id = ${training} and s.removed_at is null and s.skipped_at is null
          and case e.action when 'Start' then s.starts_at else s.stops_at end = e.fires_at)
    union
    select date, time, 'Ready' from ready_by e
    where training_id = ${training} and removed_at is null and date between ${from} and ${until}
      and not exists (select from class_session s
        where s.training_id = ${training} and s.removed_at is null and s.skipped_at is null
          and s.starts_at = e.ready_at)
    order by date, time`.execute(db)

export const removeSchedules = (tx: Tx, sessions: readonly ClassSessionId[]) =>
  sql`
    update schedule set removed_at = portal_now()
    where class_session_id = any(${sessions}::uuid[]) and completed_at is null and removed_at is null`.execute(tx)

export const removeReadyByRows = (tx: Tx, sessions: readonly ClassSessionId[]) =>
  sql`
    update ready_by set removed_at = portal_now()
    where class_session_id = any(${sessions}::uuid[]) and started_at is null and not missed and removed_at is null`.execute(
    tx,
  )

export const removePlannedSessions = (tx: Tx, trainings: readonly TrainingId[]) =>
  sql`
    update class_session set removed_at = portal_now()
    where training_id = any(${trainings}::uuid[]) and removed_at is null and starts_at > portal_now()`.execute(tx)

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
  select * from machine where training_id = ${training_id} and terminated_at is null and desired <> 'gone' and not spare
    and (${order_id}::uuid is null or order_id = ${order_id}))`

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
        select format('%s in %s', need.size_name, need.location)
        from (select provider, location, size_name, count(*) as machines from seat where observed <> 'running'
          group by 1, 2, 3) as need
        join cloud_place p on p.provider = need.provider and p.location = need.location
        left join cloud_size s on s.provider = need.provider and s.location = need.location
          and lower(s.size) = lower(need.size_name)
        where s.size is null or s.withheld is not null or exists (
          select from cloud_limit l where l.provider = need.provider and l.location = need.location
            and (l.family = 'cores' or lower(l.family) = lower(s.family))
            and l.allowed - l.used < s.cores * need.machines)
        limit 1
      ) as place,
      (select count(*) from seat left join ${usedByMachine(sql`select id from seat`)} as used
        on used.machine_id = seat.id where used.seconds >= seat.allotted_minutes * 60)::int as hours,
      (select count(distinct u.id) from seat join portal_user u on u.email = seat.email
        where u.password_hash is null and u.signed_in_at is null and not exists (
          select from invitation i where i.user_id = u.id and i.purpose = 'invitation' and i.used_at is null
            and i.revoked_at is null and i.bounced_at is null and ${invitationEnd('i')} > ${readyAt}))::int as uninvited,
      (select array_agg(email order by email) from (select distinct u.email from seat
        join portal_user u on u.email = seat.email and u.password_hash is null and u.signed_in_at is null
        join lateral ${newestInvitation()} as newest on newest.bounced_at is not null) as b) as bounced,
      (select count(*) from seat left join image i on i.image_id = seat.image_id
        left join cloud_terms c on c.provider = seat.provider and c.image = seat.image
        where seat.first_seen_at is null
          and ((i.id is not null and i.ready_at is null) or c.refusal is not null))::int as imageless`.execute(db)
