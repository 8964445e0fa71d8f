const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 30_000

/**
 * Longest Retry-After, in seconds, that a read waits for. If the header is longer, the user sees the failure
 * immediately.
 */
const RETRY_AFTER_MAX = 30

/**
 * Returns the pause before the next attempt, in ms. The pause doubles with each failure. Random jitter of up to 50 % is
 * added, so that the browsers of a class do not all retry at the same moment.
 * @param failures number of failures so far, starting at 0
 * @param retryAfter value of the Retry-After header in seconds; null if the server sent none
 */
export function pauseAfter(failures: number, retryAfter: number | null = null): number {
  const pause = Math.max(Math.min(PAUSE_MS * 2 ** failures, PAUSE_MAX_MS), (retryAfter ?? 0) * 1_000)
  return pause * (1 + Math.random() / 2)
}

/**
 * Returns true if a repeated read may succeed: the server did not reply, replied with an error (5xx), or limited the
 * rate (429) with a Retry-After that is not too long. All other 4xx replies are final.
 */
export const mayRetry = (status: number, retryAfter: number | null): boolean =>
  (retryAfter ?? 0) <= RETRY_AFTER_MAX && (status === 0 || status >= 500 || (status === 429 && retryAfter !== null))

/** Returns the Retry-After header of a reply in seconds; null without a header. The header is a number or a date. */
export function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? null : seconds
}
