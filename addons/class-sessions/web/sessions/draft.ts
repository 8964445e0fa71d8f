import type { ClassSessionScope } from '../../contract/class-session-words.ts'
import { weekdayOf } from './week.ts'

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
