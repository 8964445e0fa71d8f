import { Temporal } from 'temporal-polyfill'
import type { AttendanceReport } from '../contract/attendance.ts'
import { ATTENDANCE_DAYS_MAX, nameOf } from '../contract/attendance-words.ts'
import { compareNaturally } from '@trainyard/platform/contract/words/natural-order.ts'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { windowOf } from '@trainyard/trainings/server/window.ts'
import { type Day, type Interval, type LearnerRecords, type Presence, presenceIn } from './presence.ts'
import { selectLearners, selectPresence, type PresenceRow } from './queries.ts'

interface Span {
  readonly from: string
  readonly until: string
}

/** Upper end of an interval that has not ended. */
const LAST_INSTANT = Date.UTC(9999, 0)

/** @throws Problem invalid if the days are in the wrong order or too many */
export async function attendanceReport(db: Db, training: TrainingId, span: Span): Promise<AttendanceReport> {
  const { timeZone } = await windowOf(db, training)
  const days = daysOf(span, timeZone)
  const period = { from: days[0]!.from, until: days.at(-1)!.until }
  const rows = await recordsIn(db, training, period)
  const byLearner = Map.groupBy(rows, ({ email }) => email)
  const { rows: known } = await selectLearners(db, training, [...byLearner.keys()])
  const learners = known.map(({ email, learnerName }) => {
    const ofLearner = recordsOf(byLearner.get(email) ?? [])
    return {
      email,
      learnerName,
      ...minutesOf(presenceIn(period, ofLearner)),
      days: days
        .map((day) => ({ date: day.date, ...minutesOf(presenceIn(day, ofLearner)) }))
        .filter(({ connected, machine, firstSeen }) => connected > 0 || machine > 0 || firstSeen !== null),
    }
  })
  return { timeZone, learners: learners.toSorted((a, b) => compareNaturally(nameOf(a), nameOf(b))) }
}

/**
 * Returns the active minutes of each learner with a connection since the training began. The keys are e-mail addresses.
 */
export async function activeMinutes(db: Db, training: TrainingId): Promise<ReadonlyMap<string, number>> {
  const allTime = { from: 0, until: LAST_INSTANT }
  const byLearner = Map.groupBy(await recordsIn(db, training, allTime), ({ email }) => email)
  return new Map(
    [...byLearner].map(([email, records]) => [email, minutesOf(presenceIn(allTime, recordsOf(records))).active]),
  )
}

function daysOf({ from, until }: Span, timeZone: string): Day[] {
  const first = Temporal.PlainDate.from(from)
  const count = first.until(until, { largestUnit: 'days' }).days + 1
  if (count < 1) throw new Problem('invalid', 'until must not be before from.')
  if (count > ATTENDANCE_DAYS_MAX) throw new Problem('invalid', `Choose at most ${ATTENDANCE_DAYS_MAX} days.`)
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds
  return Array.from({ length: count }, (_, index) => {
    const day = first.add({ days: index })
    return { date: day.toString(), from: startOf(day), until: startOf(day.add({ days: 1 })) }
  })
}

const recordsOf = (rows: readonly PresenceRow[]): LearnerRecords => {
  const of = (kind: PresenceRow['kind']): Interval[] =>
    rows.filter((row) => row.kind === kind).map(({ from, until }) => ({ from: from.getTime(), until: until.getTime() }))
  return { connections: of('connection'), inputs: of('input'), runs: of('run') }
}

const minutesOf = ({ firstSeen, lastSeen, ...seconds }: Presence) => ({
  connected: Math.round(seconds.connected / 60),
  active: Math.round(seconds.active / 60),
  machine: Math.round(seconds.machine / 60),
  firstSeen: firstSeen === null ? null : new Date(firstSeen).toISOString(),
  lastSeen: lastSeen === null ? null : new Date(lastSeen).toISOString(),
})

/** Returns connections, inputs and runs. Excludes connections of admins and instructors to learners' machines. */
async function recordsIn(db: Db, training: TrainingId, { from, until }: Interval): Promise<readonly PresenceRow[]> {
  const { rows } = await selectPresence(db, training, new Date(from), new Date(until))
  return rows
}
