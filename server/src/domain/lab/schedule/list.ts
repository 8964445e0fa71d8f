import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { schedule } from '@trainyard/contract/calls/schedule.ts'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import { PLANNED_MAX } from '@trainyard/contract/words/limits.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import type { Db } from '../../../db/schema.ts'
import { DUE_AT } from '../training/deferred-stops.ts'

type Listed = ReplyOf<typeof schedule.list>['schedules'][number]

interface Row {
  readonly id: string
  readonly date: string
  readonly time: string
  readonly action: ScheduleAction
  readonly completed: boolean
  readonly missed: boolean
  readonly repeats: string | null
  readonly late: number | null
}

interface OutcomeGroup {
  readonly schedule_id: string
  readonly outcome: 'acted' | 'skipped' | 'failed'
  readonly reason: string | null
  readonly count: number
  readonly names: readonly string[]
}

const MAX_NAMES = 3

export async function schedulesOf(db: Db, training: TrainingId): Promise<Listed[]> {
  const { rows } = await sql<Row>`
    select id, coalesce((deferred_until at time zone time_zone)::date, date) as date,
      to_char(coalesce((deferred_until at time zone time_zone)::time, time), 'HH24:MI') as time, action, completed_at is not null as completed, missed,
      recurrence_id as repeats,
      case when not missed then nullif(greatest(0, floor(extract(epoch from completed_at - ${DUE_AT}) / 60)::int), 0) end as late
    from (select * from schedule where training_id = ${training} and removed_at is null
      order by completed_at is not null, completed_at desc, ${DUE_AT} limit ${PLANNED_MAX}) shown
    order by ${DUE_AT}, fires_at, created_at, action`.execute(db)
  const outcomes = await outcomesOf(
    db,
    rows.map(({ id }) => id),
  )
  const groups = Map.groupBy(outcomes, ({ schedule_id }) => schedule_id)
  return rows.map(({ id, date, time, action, completed, missed, repeats, late }) => ({
    _id: id,
    date,
    time,
    action,
    status: completed ? 'Completed' : 'Pending',
    result: missed ? 'missed' : completed ? resultOf(groups.get(id) ?? []) : null,
    repeats,
    late,
  }))
}

async function outcomesOf(db: Db, schedules: readonly string[]): Promise<readonly OutcomeGroup[]> {
  const { rows } = await sql<OutcomeGroup>`
    select schedule_id, outcome, reason, count(*) as count,
      (array_agg(name order by number))[1:${sql.lit(MAX_NAMES)}] as names
    from (
      -- If a schedule acted on a machine that still fails, the machine counts as failed, unless its desired state has
      -- changed since.
      select o.schedule_id, m.name, m.number,
        case when stuck then 'failed' else o.outcome end as outcome,
        case when stuck then rtrim(m.last_error, '.') else o.reason end as reason
      from schedule_outcome o join machine m on m.id = o.machine_id
      cross join lateral (select m.last_error is not null and m.generation = o.generation as stuck) as now
      where o.schedule_id = any(${schedules}::uuid[])) as outcome_now
    group by schedule_id, outcome, reason order by outcome, reason`.execute(db)
  return rows
}

function resultOf(groups: readonly OutcomeGroup[]): Exclude<Listed['result'], string | null> {
  const count = (outcome: OutcomeGroup['outcome']) =>
    groups.filter((group) => group.outcome === outcome).reduce((sum, group) => sum + group.count, 0)
  return {
    acted: count('acted'),
    skipped: count('skipped'),
    failed: count('failed'),
    reasons: groups.filter(({ reason }) => reason !== null).map((group) => `${namesOf(group)}: ${group.reason}.`),
  }
}

function namesOf({ names, count }: OutcomeGroup): string {
  const others = count - names.length
  return `${names.join(', ')}${others === 0 ? '' : others === 1 ? ' and another' : ` and ${others} others`}`
}
