import { sql } from 'kysely'
import { DEFAULT_TIME_ZONE } from '@trainyard/contract/words/limits.ts'
import type { Db } from '../../db/schema.ts'

export const DAYS_SHOWN = 30

/** Delay after which corrections of a run's end from the machine's own records have arrived. */
const CORRECTION_DELAY = '15 minutes'

/** Stores the totals of the last 30 completed days. The price of a run never changes, so a stored day is final. */
export async function storeDayTotals(db: Db): Promise<void> {
  await sql`
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
}
