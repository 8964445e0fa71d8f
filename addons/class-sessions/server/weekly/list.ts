import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { recurrence } from '../../contract/recurrence.ts'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectRecurrences } from './queries.ts'
import { clockNote } from './runs.ts'

type Listed = ReplyOf<typeof recurrence.list>['weekly'][number]
type Run = Listed['next'][number]

export async function weeklyOf(db: Db, training: TrainingId): Promise<Listed[]> {
  const { rows } = await selectRecurrences(db, training)
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
