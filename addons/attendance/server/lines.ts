import type { AttendanceReport } from '../contract/attendance.ts'
import { nameOf } from '../contract/attendance-words.ts'
import { csvHead, csvLine } from '@trainyard/platform/contract/words/csv.ts'

/** Returns the time of day of an instant in a zone: 09:30; empty without an instant. */
export const timeIn = (instant: string | null, timeZone: string): string =>
  instant === null
    ? ''
    : new Date(instant).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })

const HEAD = [
  'Learner',
  'E-mail',
  'Date',
  'First seen',
  'Last seen',
  'Connected minutes',
  'Active minutes',
  'Machine minutes',
]

export function* attendanceLines({ learners, timeZone }: AttendanceReport): Iterable<string> {
  yield csvHead(HEAD)
  for (const learner of learners) {
    for (const { date, firstSeen, lastSeen, connected, active, machine } of learner.days) {
      const times = [timeIn(firstSeen, timeZone), timeIn(lastSeen, timeZone)]
      yield csvLine([
        nameOf(learner),
        learner.email,
        date,
        ...times,
        String(connected),
        String(active),
        String(machine),
      ])
    }
  }
}
