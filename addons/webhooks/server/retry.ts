const MINUTE = 60
const HOUR = 3_600

/** Seconds between attempts: ten attempts within three days. */
const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 20 * HOUR]
export const ATTEMPTS = PAUSES.length + 1

/** Random fraction of a pause, so that the retries after an outage do not all arrive at once. */
const JITTER = 0.1
/** Maximum delay that a Retry-After header can request, in seconds. */
const RETRY_AFTER_MAX = 24 * HOUR
/** Status codes whose Retry-After header is honoured. */
const BUSY = new Set([429, 502, 503, 504])

export interface AttemptResult {
  /** Status code; null: no reply. */
  readonly status: number | null
  readonly retryAfter: string | undefined
}

/**
 * Returns the seconds until the next attempt; null: the delivery has failed.
 * @param attempts number of attempts made
 * @param random a number from 0 to 1
 */
export function delayBefore(attempts: number, { status, retryAfter }: AttemptResult, random: number): number | null {
  const pause = PAUSES[attempts - 1]
  if (pause === undefined) return null
  const requested = status !== null && BUSY.has(status) ? secondsIn(retryAfter) : 0
  return Math.max(pause * (1 - JITTER * random), requested)
}

/** Reads a Retry-After header in either form (RFC 9110, section 10.2.3). */
function secondsIn(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return 0
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX) : 0
}
