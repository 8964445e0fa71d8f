import { sql } from 'kysely'
import { QUOTA_PERCENTS } from '@trainyard/contract/words/budget.ts'
import type { OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { usedByMachine } from '../meter/used.ts'
import { raiseAlerts } from './alert.ts'

interface Quota {
  readonly organisation: OrganisationId
  readonly training: TrainingId
  readonly minutes: number
  readonly seconds: number
}

/**
 * Alerts about quotas of trainings with a limited machine that is running or used up its quota within the last hour.
 */
export async function alertQuotas(tx: Tx, jobs: JobQueue): Promise<void> {
  const { rows } = await sql<Quota>`
    with busy as (
      select distinct training_id as id from machine where quota_ends_at is not null
      union select training_id from machine where used_up_at > portal_now() - interval '1 hour'
    ), mine as (
      select m.id, m.organisation_id, m.training_id, m.allotted_minutes
      from busy join machine m on m.training_id = busy.id where m.allotted_minutes is not null
    )
    select organisation_id as organisation, training_id as training, sum(allotted_minutes)::bigint as minutes,
      coalesce(sum(used.seconds), 0)::bigint as seconds
    from mine left join ${usedByMachine(sql`select id from mine`)} as used on used.machine_id = mine.id
    group by organisation_id, training_id`.execute(tx)
  for (const { minutes, seconds, ...subject } of rows) {
    const reached = QUOTA_PERCENTS.filter((percent) => seconds * 100 >= minutes * 60 * percent)
    const about = { ...subject, kind: 'quota', month: null } as const
    await raiseAlerts(tx, jobs, { ...about, used: Math.floor(seconds / 60), total: minutes }, reached)
  }
}
