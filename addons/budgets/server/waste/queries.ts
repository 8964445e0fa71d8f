import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { waste } from '../../contract/waste.ts'
import type { TrainingId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { WASTE_DAYS, WASTE_MINUTES } from '../../contract/waste-words.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { TrainingInScope } from '@trainyard/trainings/server/scope.ts'
import { activityPeriods } from '@trainyard/usage/server/activity.ts'
import type { ActivityPeriod, Run } from './propose.ts'

const activity = (alias = 'period') => sql`(${sqlOf(activityPeriods, undefined)}) as ${sql.id(alias)}`

export type WastedTraining = ReplyOf<typeof waste.list>['trainings'][number]

export const selectTrainingToPropose = (db: Db, id: TrainingId) =>
  sql<{ now: Date; timeZone: string; endsOn: string | null; isEarly: boolean }>`
    select portal_now() as now, o.time_zone as "timeZone", t.ends_on as "endsOn",
      coalesce((select (min(began_at) at time zone o.time_zone)::date from ${activity()} where training_id = t.id)
        > (portal_now() at time zone o.time_zone)::date - 7, true) as "isEarly"
    from training t join organisation o on o.id = t.organisation_id where t.id = ${id}`.execute(db)

export const selectStretches = (db: Db, training: TrainingInScope['id']) => {
  const ms = (instant: unknown) => sql`(date_part('epoch', ${instant}) * 1000)::float8`
  const since = sql`portal_now() - make_interval(days => ${WASTE_DAYS})`
  return sql<ActivityPeriod>`
    select machine_id as machine, ${ms(sql`greatest(began_at, ${since})`)} as began, ${ms(sql`ended_at`)} as ended, idle,
      paise_per_hour as "paisePerHour"
    from ${activity()} where training_id = ${training} and ended_at > ${since} order by began_at`.execute(db)
}

export const selectRuns = (db: Db, training: TrainingInScope['id']) => {
  const ms = (instant: unknown) => sql`(date_part('epoch', ${instant}) * 1000)::float8`
  const since = sql`portal_now() - make_interval(days => ${WASTE_DAYS})`
  return sql<Run>`
    select m.id as machine, ${ms(sql`r.started_at`)} as began, ${ms(sql`coalesce(r.stopped_at, portal_now())`)} as ended
    from machine m join run r on r.machine_id = m.id
    where m.training_id = ${training} and coalesce(r.stopped_at, portal_now()) > ${since}`.execute(db)
}

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
      join ${activity('s')} on s.organisation_id = ${organisation} and s.ended_at > first.begins
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
