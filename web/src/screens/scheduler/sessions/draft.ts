import type { SessionScope } from '@trainyard/contract/words/class-session.ts'

/** Initial values of the form. */
export interface SessionDraft {
  /** YYYY-MM-DD. */
  readonly date: string
  readonly start: string
  readonly stop: string
  /** The session to change; omitted for a new one. */
  readonly changes?: {
    readonly sessionId: string
    readonly scope: SessionScope
    readonly weekly: { readonly weekdays: readonly number[]; readonly until: string } | null
    readonly limitsAccess: boolean
  }
}
