import type { ClassSessionScope } from '../../contract/class-session-words.ts'
import type { ClassSession } from '../../contract/class-session.ts'
import { DAY_MINUTES, minutesOf, STEP_MINUTES, timeAt, weekdayOf } from './week.ts'

/** Initial values of the form. */
export interface SessionDraft {
  /** YYYY-MM-DD. */
  readonly date: string
  readonly start: string
  readonly stop: string
  /** Days that are selected when the form opens, 1 (Monday) to 7 (Sunday). */
  readonly weekdays?: readonly number[]
  /** Session to change; omitted for a new session. */
  readonly editedSession?: {
    readonly sessionId: string
    readonly scope: ClassSessionScope
    readonly weekly: { readonly weekdays: readonly number[]; readonly until: string } | null
    readonly limitsAccess: boolean
  }
}

/** Returns the draft for a day that the user chose. The weekday of that day is selected. */
export const dayDraft = (date: string) => ({ date, weekdays: [weekdayOf(date)] })

/** Returns the draft that changes a session. */
export const changeDraft = (session: ClassSession, scope: ClassSessionScope): SessionDraft => ({
  date: session.date,
  start: session.start,
  stop: session.stop,
  editedSession: { sessionId: session._id, scope, weekly: session.weekly, limitsAccess: session.limitsAccess },
})

/** Returns the draft that moves a session to another day and start. Its length stays. */
export function moveDraft(session: ClassSession, date: string, start: number): SessionDraft {
  const from = Math.max(0, Math.min(DAY_MINUTES - STEP_MINUTES, start))
  const length = (minutesOf(session.stop) - minutesOf(session.start) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES
  return { ...changeDraft(session, 'one'), date, start: timeAt(from), stop: timeAt((from + length) % DAY_MINUTES) }
}
