import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { recurrence } from '@trainyard/contract/calls/recurrence.ts'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import type { Db } from '../../../../db/schema.ts'
import { clockNote } from './runs.ts'

type Listed = ReplyOf<typeof recurrence.list>['weekly'][number]
type Run = Listed['next'][number]

export const SHOWN_RUNS = 10

interface Row {
  readonly id: string
  readonly action: ScheduleAction
  readonly time: string
  readonly weekdays: number[]
  readonly from: string
  readonly until: string
  readonly time_zone: string
  readonly left: number
  readonly next: readonly { readonly date: string; readonly at: string }[] | null
}

export async function weeklyOf(db: Db, training: TrainingId): Promise<Listed[]> {
  const { rows } = await sql<Row>`
    select r.id, r.action, to_char(r.time, 'HH24:MI') as time, r.weekdays, r.from_date as from, r.until_date as until,
      r.time_zone, coming.left::int as left, coming.next
    from recurrence r cross join lateral (
      select count(*) as left, min(fires_at) as first,
        (jsonb_agg(jsonb_build_object('date', date, 'at', fires_at) order by fires_at)
          filter (where place <= ${SHOWN_RUNS})) as next
      from (select date, fires_at, row_number() over (order by fires_at) as place from schedule
        where recurrence_id = r.id and completed_at is null and removed_at is null) s) as coming
    where r.training_id = ${training} and r.removed_at is null and coming.left > 0
    order by coming.first, r.created_at`.execute(db)
  return rows.map(({ id, time_zone, next, ...row }) => ({
    ...row,
    _id: id,
    timeZone: time_zone,
    next: (next ?? []).map(({ date, at }) => runView(date, row.time, { at: new Date(at), timeZone: time_zone })),
  }))
}

export const runView = (date: string, time: string, { at, timeZone }: { at: Date; timeZone: string }): Run => ({
  date,
  time,
  at: at.toISOString(),
  note: clockNote(date, time, timeZone),
})
