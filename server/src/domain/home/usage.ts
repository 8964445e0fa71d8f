import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { home } from '@trainyard/contract/calls/home.ts'
import { DEFAULT_TIME_ZONE } from '@trainyard/contract/words/limits.ts'
import type { Db } from '../../db/schema.ts'
import { DAYS_SHOWN } from './day-totals.ts'

type Usage = ReplyOf<typeof home.usage>

const TRAININGS_MAX = 100

export async function usageNow(db: Db): Promise<Usage> {
  const [trainings, days] = await Promise.all([runningTrainings(db), lastDays(db)])
  return { ...trainings, days }
}

async function runningTrainings(db: Db): Promise<Omit<Usage, 'days'>> {
  const { rows } = await sql<
    Usage['trainings'][number] & { allRunning: number; allPaise: number; allTrainings: number }
  >`
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
  return {
    running: rows[0]?.allRunning ?? 0,
    paisePerHour: rows[0]?.allPaise ?? 0,
    runningTrainings: rows[0]?.allTrainings ?? 0,
    // The schema of the reply removes the sums.
    trainings: [...rows],
  }
}

async function lastDays(db: Db): Promise<Usage['days']> {
  const { rows } = await sql<Usage['days'][number]>`
    select to_char(day, 'YYYY-MM-DD') as date, machines, amount_paise as "amountPaise" from day_total
    where day >= (portal_now() at time zone ${DEFAULT_TIME_ZONE})::date - ${DAYS_SHOWN}::int order by day`.execute(db)
  return rows
}
