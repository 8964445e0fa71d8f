import type pg from 'pg'
import { copyInto } from './bulk.ts'
import { RUNS } from './size.ts'

/** Writes runs day by day, as in real use, so that the runs of one machine are far apart on disk. */
export async function addRuns(db: pg.Client): Promise<void> {
  for (let day = 0; day < RUNS; day++) await copyInto(db, 'run', COLUMNS, runsOf(day))
}

const COLUMNS = `machine_id, organisation_id, started_at, stopped_at, paise_per_hour, opened_by, opened_told_at,
  closed_by, closed_told_at`

const runsOf = (day: number): string => `
  select id, organisation_id, started_at, stopped_at, paise_per_hour, 'start accepted', started_at,
    case when stopped_at is not null then 'stop accepted' end, stopped_at
  from (
    select m.id, m.organisation_id, m.paise_per_hour, m.number,
      case when open then date_trunc('second', portal_now()) - make_interval(secs => 600 + m.number * 31 % 28800)
        else began end as started_at,
      case when open then null else began + make_interval(secs => 3600 + (m.number * 7919 + ${day} * 104729) % 21600)
        end as stopped_at
    from machine m,
      lateral (select m.observed = 'running' and ${day} = ${RUNS - 1} as open, date_trunc('second', m.created_at)
        + make_interval(days => ${day}, secs => 1 + (m.number * 104729 + ${day} * 7919) % 10800) as began) at
  ) runs order by number`

export async function addRunTotals(db: pg.Client): Promise<void> {
  await db.query(`
    insert into run_total (machine_id, organisation_id, runs, seconds, paise_seconds)
      select machine_id, organisation_id, count(*), sum(seconds), sum(seconds * paise_per_hour)
      from (select machine_id, organisation_id, paise_per_hour,
          date_part('epoch', stopped_at - started_at)::bigint as seconds
        from run where stopped_at is not null) ended
      group by machine_id, organisation_id`)
}

export async function addQuotas(db: pg.Client): Promise<void> {
  await db.query(`
    update machine m set quota_ends_at = q.quota_ends_at, used_up_at = q.used_up_at
    from (
      select machine_id, case when open_since is not null then open_since + make_interval(secs => left_over) end as quota_ends_at,
        case when open_since is null and left_over <= 0 then last_end end as used_up_at
      from (
        select machine_id, max(started_at) filter (where stopped_at is null) as open_since, max(stopped_at) as last_end,
          min(n.allotted_minutes) * 60 - coalesce(sum(date_part('epoch', stopped_at - started_at)), 0) as left_over
        from run join machine n on n.id = run.machine_id
        where n.allotted_minutes is not null and n.terminated_at is null group by machine_id) used
    ) q where m.id = q.machine_id and (q.quota_ends_at is not null or q.used_up_at is not null)`)
}
