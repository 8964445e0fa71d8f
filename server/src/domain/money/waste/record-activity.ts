import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'

const MAX_MINUTES = 60
const RETENTION_DAYS = 100

/** Records activity. Time without measurements is not stored. */
export async function recordActivity(db: Db): Promise<void> {
  await sql`
    with known as (
      select m.id, m.organisation_id, m.training_id, r.paise_per_hour, a.cpu_at as until,
        greatest(r.started_at, last.ended_at, a.cpu_at - make_interval(mins => ${MAX_MINUTES})) as since,
        greatest(a.input_at, a.busy_at, a.here_at, (select max(coalesce(s.closed_at, s.seen_at)) from remote_session s
          where s.machine_id = m.id and (s.closed_at is null or s.closed_at > r.started_at))) as used_at,
        last.began_at, last.ended_at,
        -- A stretch has a single price.
        case when last.paise_per_hour = r.paise_per_hour then last.idle end as idle
      from machine m join run r on r.machine_id = m.id and r.stopped_at is null
        join machine_activity a on a.machine_id = m.id and a.cpu_at > r.started_at
        left join lateral (select began_at, ended_at, idle, paise_per_hour from activity_stretch
          where machine_id = m.id order by began_at desc limit 1) as last on true
      where m.observed = 'running'
    ), piece as (
      select id, organisation_id, training_id, paise_per_hour, since as began, least(used_at, until) as ended,
        false as idle, began_at, ended_at, idle as was_idle
      from known where used_at > since and since < until
      union all
      select id, organisation_id, training_id, paise_per_hour, greatest(since, used_at), until, true, began_at, ended_at,
        idle
      from known where since < until and (used_at is null or used_at < until)
    )
    insert into activity_stretch (machine_id, organisation_id, training_id, paise_per_hour, began_at, ended_at, idle)
    select id, organisation_id, training_id, paise_per_hour,
      case when was_idle = idle and ended_at = began then began_at else began end, ended, idle
    from piece order by id, began
    on conflict (machine_id, began_at) do update set ended_at = excluded.ended_at`.execute(db)
  await sql`delete from activity_stretch where ended_at < portal_now() - make_interval(days => ${RETENTION_DAYS})`.execute(
    db,
  )
}
