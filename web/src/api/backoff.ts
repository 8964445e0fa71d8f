const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 30_000

/** Longest Retry-After, in seconds, that a read waits for. A user gets the failure instead of a longer pause. */
const RETRY_AFTER_MAX = 30

/**
 * Returns the pause before the next attempt, in ms. It doubles with each failure, and is longer by a random part of up
 * to a half, so that the browsers of a class do not all return in the same moment.
 * @param failures number of failures so far, starting at 0
 * @param retryAfter seconds that the server asked to wait; null if it did not
 */
export function pauseAfter(failures: number, retryAfter: number | null = null): number {
  const pause = Math.max(Math.min(PAUSE_MS * 2 ** failures, PAUSE_MAX_MS), (retryAfter ?? 0) * 1_000)
  return pause * (1 + Math.random() / 2)
}

/**
 * Returns true if a repeated read may succeed: after no reply, a server error, or a rate limit with Retry-After, unless
 * the server asks for a long pause. Other refusals (4xx) are final.
 */
export const mayRetry = (status: number, retryAfter: number | null): boolean =>
  (retryAfter ?? 0) <= RETRY_AFTER_MAX && (status === 0 || status >= 500 || (status === 429 && retryAfter !== null))

/** Returns the seconds of a reply's Retry-After header, which is a number or a date; null without one. */
export function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? null : seconds
}
