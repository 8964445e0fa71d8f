import { Temporal } from 'temporal-polyfill'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { recurrence } from '../../contract/recurrence.ts'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { CONFLICTS } from '../../contract/recurrence-words.ts'
import { formatWeekdays } from '@trainyard/platform/contract/words/weekdays.ts'
import type { ScheduleAction } from '@trainyard/schedules/contract/schedule-words.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { type AccessWindow, windowOf } from '@trainyard/trainings/server/window.ts'
import { selectSchedulesAt, type PlannedSchedule } from './queries.ts'
import type { WeeklyRun } from './runs.ts'

export type Conflict = ReplyOf<typeof recurrence.preview>['conflicts'][number]

export interface PlannedRuns {
  readonly action: ScheduleAction
  readonly time: string
  readonly runs: readonly WeeklyRun[]
}

/** Returns the conflicts of a rule. Only an opposite action in the same minute prevents saving. */
export async function conflictsOf(db: Db, training: TrainingId, planned: PlannedRuns): Promise<Conflict[]> {
  const { runs, action, time } = planned
  const scheduled = await plannedAt(db, training, runs)
  const same = scheduled.filter((schedule) => schedule.action === action)
  const [first, ...extra] = scheduled.filter((schedule) => schedule.action !== action)
  const window = await windowOf(db, training)
  const misplaced =
    window.start === null ? 0 : runs.filter(({ date }) => isOpenAt(window, date, time) !== (action === 'Start')).length
  const { ends_on } = await db
    .selectFrom('training')
    .select('ends_on')
    .where('id', '=', training)
    .executeTakeFirstOrThrow()
  const after = ends_on === null ? 0 : runs.filter(({ date }) => date > ends_on).length
  const shownWindow = windowText(window)
  const conflict = (kind: Conflict['kind'], sentence: string, blocks = false): Conflict => ({ kind, blocks, sentence })
  return [
    ...(first === undefined
      ? []
      : [conflict('opposite', CONFLICTS.opposite(extra.length + 1, formatDate(first.date), first.action), true)]),
    ...(same.length === 0 ? [] : [conflict('planned', CONFLICTS.planned(same.length))]),
    ...(misplaced === 0
      ? []
      : [
          conflict(
            'window',
            action === 'Start' ? CONFLICTS.outside(misplaced, shownWindow) : CONFLICTS.inside(misplaced, shownWindow),
          ),
        ]),
    ...(after === 0 ? [] : [conflict('end', CONFLICTS.end(after, formatDate(ends_on!)))]),
  ]
}

async function plannedAt(
  db: Db,
  training: TrainingId,
  runs: readonly WeeklyRun[],
): Promise<readonly PlannedSchedule[]> {
  const { rows } = await selectSchedulesAt(
    db,
    training,
    runs.map(({ at }) => at),
  )
  return rows
}

/** Returns true if the access window is open. A window that spans midnight belongs to the day on which it opens. */
export function isOpenAt({ start, stop, days }: AccessWindow, date: string, time: string): boolean {
  if (start === null || stop === null) return true
  const { dayOfWeek } = Temporal.PlainDate.from(date)
  const opensOn = (day: number) => days === null || days.includes(day)
  if (start < stop) return time >= start && time < stop && opensOn(dayOfWeek)
  return (time >= start && opensOn(dayOfWeek)) || (time < stop && opensOn(dayOfWeek === 1 ? 7 : dayOfWeek - 1))
}

const windowText = ({ start, stop, days }: AccessWindow): string =>
  `${start} to ${stop}${days === null ? '' : ` on ${formatWeekdays(days)}`}`

const formatDate = (date: string): string => date.split('-').toReversed().join('/')
