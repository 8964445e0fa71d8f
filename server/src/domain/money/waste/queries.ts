import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { waste } from '@trainyard/contract/calls/waste.ts'
import type { TrainingId, OrganisationId } from '@trainyard/contract/words/ids.ts'
import { WASTE_DAYS, WASTE_MINUTES } from '@trainyard/contract/words/waste.ts'
import type { Db } from '../../../db/schema.ts'
import type { TrainingInScope } from '../../lab/training/scope.ts'
import type { ActivityPeriod, Run } from './propose.ts'

const MAX_MINUTES = 60

const RETENTION_DAYS = 100

export type WastedTraining = ReplyOf<typeof waste.list>['trainings'][number]

export const selectTrainingToPropose = (db: Db, id: TrainingId) =>
  sql<{ now: Date; timeZone: string; endsOn: string | null; isEarly: boolean }>`
    select portal_now() as now, o.time_zone as "timeZone", t.ends_on as "endsOn",
      coalesce((select (min(began_at) at time zone o.time_zone)::date from activity_stretch where training_id = t.id)
        > (portal_now() at time zone o.time_zone)::date - 7, true) as "isEarly"
    from training t join organisation o on o.id = t.organisation_id where t.id = ${id}`.execute(db)

export const selectStretches = (db: Db, training: TrainingInScope['id']) => {
  const ms = (instant: unknown) => sql`(date_part('epoch', ${instant}) * 1000)::float8`
  const since = sql`portal_now() - make_interval(days => ${WASTE_DAYS})`
  return sql<ActivityPeriod>`
    select machine_id as machine, ${ms(sql`greatest(began_at, ${since})`)} as began, ${ms(sql`ended_at`)} as ended, idle,
      paise_per_hour as "paisePerHour"
    from activity_stretch where training_id = ${training} and ended_at > ${since} order by began_at`.execute(db)
}

export const selectRuns = (db: Db, training: TrainingInScope['id']) => {
  const ms = (instant: unknown) => sql`(date_part('epoch', ${instant}) * 1000)::float8`
  const since = sql`portal_now() - make_interval(days => ${WASTE_DAYS})`
  return sql<Run>`
    select m.id as machine, ${ms(sql`r.started_at`)} as began, ${ms(sql`coalesce(r.stopped_at, portal_now())`)} as ended
    from machine m join run r on r.machine_id = m.id
    where m.training_id = ${training} and coalesce(r.stopped_at, portal_now()) > ${since}`.execute(db)
}

export const insertStretches = (db: Db) =>
  sql`
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

export const deleteOldStretches = (db: Db) =>
  sql`delete from activity_stretch where ended_at < portal_now() - make_interval(days => ${RETENTION_DAYS})`.execute(db)

export const selectWaste = (db: Db, organisation: OrganisationId, training: TrainingId | null) =>
  sql<Omit<WastedTraining, 'lostPaiseAWeek'> & { lost: number }>`
    with week as (
      select ends - interval '7 days' as begins, ends
      from generate_series(portal_now() - make_interval(days => ${WASTE_DAYS - 7}), portal_now(), interval '7 days') as ends
    ), ran as (
      select m.training_id, week.ends, sum(date_part('epoch',
        least(coalesce(r.stopped_at, week.ends), week.ends) - greatest(r.started_at, week.begins))) as seconds
      from week join machine m on m.organisation_id = ${organisation}
        and (${training}::uuid is null or m.training_id = ${training})
      join run r on r.machine_id = m.id and r.started_at < week.ends and coalesce(r.stopped_at, week.ends) > week.begins
      group by m.training_id, week.ends
    ), piece as (
      select s.training_id, s.idle and s.ended_at - s.began_at >= make_interval(mins => ${WASTE_MINUTES}) as lost,
        s.paise_per_hour, date_part('epoch', s.ended_at - greatest(s.began_at, first.begins)) as seconds
      from (select min(begins) as begins from week) as first
      join activity_stretch s on s.organisation_id = ${organisation} and s.ended_at > first.begins
        and (${training}::uuid is null or s.training_id = ${training})
    ), known as (
      select training_id, sum(seconds) as measured, coalesce(sum(seconds) filter (where lost), 0) as idle,
        coalesce(sum(seconds * paise_per_hour) filter (where lost), 0) / 3600 as lost
      from piece group by training_id
    )
    select t.name as "trainingName", count(*)::int as weeks, round(sum(ran.seconds))::bigint as "ranSeconds",
      round(coalesce(max(known.measured), 0))::bigint as "measuredSeconds",
      round(coalesce(max(known.idle), 0))::bigint as "idleSeconds", coalesce(max(known.lost), 0)::float8 as lost
    from ran join training t on t.id = ran.training_id left join known on known.training_id = ran.training_id
    where t.removed_at is null
    group by t.id, t.name order by max(known.lost) desc nulls last, t.name`.execute(db)
