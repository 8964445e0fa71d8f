import type { ApiError } from './error.ts'

/** Time in ms within which the browser does not repeat a refused call (4xx). */
export const REFUSED_MS = 15_000

interface Refusal {
  /** Time from which the call may be repeated, in ms since 1970. */
  readonly until: number
  /** Null for an event stream, whose reply the browser does not show to the page. */
  readonly error: ApiError | null
}

const refusals = new Map<string, Refusal>()

/** Remembers refused reads and streams by address, whatever repeats them: a poll, a stream's event, a new render. */
export const refused = {
  note(address: string, error: ApiError | null): void {
    refusals.set(address, { until: Date.now() + REFUSED_MS, error })
  },
  /** Returns the refusal of a call that must not be repeated yet. */
  find(address: string): Refusal | undefined {
    const refusal = refusals.get(address)
    if (refusal === undefined || refusal.until > Date.now()) return refusal
    refusals.delete(address)
    return undefined
  },
  /** Allows all calls: the user asked to try again, or changed something that the refusals may depend on. */
  forget: (): void => refusals.clear(),
}
