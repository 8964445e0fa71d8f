import type { SessionScope } from '@trainyard/contract/words/class-session.ts'
import { weekdayOf } from './week.ts'

/** Initial values of the form. */
export interface SessionDraft {
  /** YYYY-MM-DD. */
  readonly date: string
  readonly start: string
  readonly stop: string
  /** Days that are selected at first, Monday 1 to Sunday 7. */
  readonly weekdays?: readonly number[]
  /** The session to change; omitted for a new one. */
  readonly changes?: {
    readonly sessionId: string
    readonly scope: SessionScope
    readonly weekly: { readonly weekdays: readonly number[]; readonly until: string } | null
    readonly limitsAccess: boolean
  }
}

/** Returns the draft for a day that the user chose: its day of the week is selected. */
export const dayDraft = (date: string) => ({ date, weekdays: [weekdayOf(date)] })
