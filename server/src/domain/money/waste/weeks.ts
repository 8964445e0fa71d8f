import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { waste } from '@trainyard/contract/calls/waste.ts'
import type { OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { WASTE_DAYS, WASTE_MINUTES } from '@trainyard/contract/words/waste.ts'
import type { Db } from '../../../db/schema.ts'

export type WastedTraining = ReplyOf<typeof waste.list>['trainings'][number]

export async function wasteOf(
  db: Db,
  organisation: OrganisationId,
  training: TrainingId | null = null,
): Promise<WastedTraining[]> {
  const { rows } = await sql<Omit<WastedTraining, 'lostPaiseAWeek'> & { lost: number }>`
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
  return rows.map(({ lost, ...row }) => ({ ...row, lostPaiseAWeek: Math.round(lost / row.weeks) }))
}
