import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { schedule } from '@trainyard/contract/calls/schedule.ts'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import type { Db } from '../../../db/schema.ts'

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

/** How machines of a schedule fared alike: how many, and the first of their names. */
interface Alike {
  readonly schedule_id: string
  readonly outcome: 'acted' | 'skipped' | 'failed'
  readonly reason: string | null
  readonly count: number
  readonly names: readonly string[]
}

/** More than anybody reads; the next ones to fire come first when there are more. */
const ROWS = 2_000
const NAMED = 3

/** A training's schedules in order of their instants, with what each did. */
export async function schedulesOf(db: Db, training: TrainingId): Promise<Listed[]> {
  const { rows } = await sql<Row>`
    select id, date, to_char(time, 'HH24:MI') as time, action, completed_at is not null as completed, missed,
      recurrence_id as repeats,
      case when not missed then nullif(greatest(0, floor(extract(epoch from completed_at - fires_at) / 60)::int), 0) end as late
    from (select * from schedule where training_id = ${training} and removed_at is null
      order by completed_at is not null, completed_at desc, fires_at limit ${ROWS}) shown
    order by fires_at, created_at, action`.execute(db)
  const outcomes = await outcomesOf(
    db,
    rows.map(({ id }) => id),
  )
  const fared = Map.groupBy(outcomes, ({ schedule_id }) => schedule_id)
  return rows.map(({ id, date, time, action, completed, missed, repeats, late }) => ({
    _id: id,
    date,
    time,
    action,
    status: completed ? 'Completed' : 'Pending',
    result: missed ? 'missed' : completed ? resultOf(fared.get(id) ?? []) : null,
    repeats,
    late,
  }))
}

async function outcomesOf(db: Db, schedules: readonly string[]): Promise<readonly Alike[]> {
  const { rows } = await sql<Alike>`
    select schedule_id, outcome, reason, count(*) as count,
      (array_agg(name order by number))[1:${sql.lit(NAMED)}] as names
    from (
      -- Acted on, and failing ever since: as long as nobody has wished anew, that is what came of it.
      select o.schedule_id, m.name, m.number,
        case when stuck then 'failed' else o.outcome end as outcome,
        case when stuck then rtrim(m.last_error, '.') else o.reason end as reason
      from schedule_outcome o join machine m on m.id = o.machine_id
      cross join lateral (select m.last_error is not null and m.generation = o.generation as stuck) as now
      where o.schedule_id = any(${schedules}::uuid[])) as fared
    group by schedule_id, outcome, reason order by outcome, reason`.execute(db)
  return rows
}

function resultOf(fared: readonly Alike[]): Exclude<Listed['result'], string | null> {
  const count = (outcome: Alike['outcome']) =>
    fared.filter((alike) => alike.outcome === outcome).reduce((sum, alike) => sum + alike.count, 0)
  return {
    acted: count('acted'),
    skipped: count('skipped'),
    failed: count('failed'),
    reasons: fared.filter(({ reason }) => reason !== null).map((alike) => `${namesOf(alike)}: ${alike.reason}.`),
  }
}

/** 'linux-1, linux-2, linux-3 and 4 others' */
function namesOf({ names, count }: Alike): string {
  const others = count - names.length
  return `${names.join(', ')}${others === 0 ? '' : others === 1 ? ' and another' : ` and ${others} others`}`
}
