import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'
import type { AttendanceReport } from './attendance.ts'

export const ATTENDANCE_DAYS_MAX = 92

/** Returns the learner's name, or the address if no name is known. */
export const nameOf = ({
  email,
  learnerName,
}: Pick<AttendanceReport['learners'][number], 'email' | 'learnerName'>): string =>
  learnerName === null ? email : givenNameFirst(learnerName)
