import { type RawBuilder, sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/contract/words/money.ts'
import type { Db } from '../../../db/schema.ts'

export interface DayUsed {
  /** YYYY-MM-DD */
  readonly date: string
  readonly seconds: number
  readonly amount: Paise
}

/** SQL: start of a day. If clocks go back over midnight, midnight occurs twice and the first one is used. */
const startOfDay = (date: RawBuilder<unknown>) => sql`(
  select case when ((midnight - interval '1 hour') at time zone zone)::date = ${date}
    then midnight - interval '1 hour' else midnight end
  from (select ${date}::timestamp at time zone zone as midnight) as at_midnight)`

/**
 * Returns the use per day. The amount of a day is the bill at its end minus the bill at its start, so that all days sum
 * exactly to the bill.
 */
export async function dailyUse(
  db: Db,
  training: TrainingId,
  email: string | null,
  days: number,
): Promise<{ timeZone: string; days: DayUsed[] }> {
  const { rows } = await sql<{ date: string; seconds: number; amount: number; zone: string }>`
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
  return {
    timeZone: rows[0]!.zone,
    days: rows.map(({ date, seconds, amount }) => ({ date, seconds, amount: paise(amount) })),
  }
}
