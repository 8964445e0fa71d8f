import { CloudError, StepError, RequestDeferred } from '../../providers/errors.ts'

export interface Failures {
  readonly attempts: number
  readonly last_error: string | null
}

/**
 * Maximum pause in seconds, unless the provider requests a longer one. It is short, because a user may be waiting for
 * the result.
 */
export const MAX_PAUSE_SECONDS = 60
/** Maximum pause after a conflict, in seconds. A busy resource is usually free soon. */
export const MAX_CONFLICT_PAUSE_SECONDS = 30

/** Reports any other error as a bug and returns a generic error to show. */
export function toStepError(thrown: unknown, onBug: (bug: unknown) => void): StepError {
  if (thrown instanceof StepError) return thrown
  onBug(thrown)
  return new CloudError('unreachable', 'Something went wrong on our side. Retrying automatically.', 30)
}

export function afterError(error: StepError, { attempts, last_error }: Failures): Failures {
  // The portal's own rate limit deferred the request, so there was no attempt.
  if (error instanceof RequestDeferred) return { attempts, last_error }
  const routine = error.kind === 'throttled' || error.kind === 'conflict'
  // A provider's request to wait is shown only from the third attempt on.
  return { attempts: attempts + 1, last_error: routine && attempts + 1 < 3 ? last_error : error.message }
}

/** Returns the pause in seconds: exponential with a maximum and jitter, and at least the provider's Retry-After. */
export function pauseAfter(error: StepError, attempts: number): number {
  // Random delay, so that rows waiting for the same turn do not return all at once.
  if (error instanceof RequestDeferred) return (error.retryAfter ?? 1) + Math.random() * 2
  const most = error.kind === 'conflict' ? MAX_CONFLICT_PAUSE_SECONDS : MAX_PAUSE_SECONDS
  return Math.max(error.retryAfter ?? 0, backoff(attempts, Math.min(most, error.maxRetrySeconds ?? most)))
}

export function backoff(attempts: number, cap: number): number {
  return Math.min(cap, 2 ** Math.min(attempts, 12)) * (0.5 + Math.random() / 2)
}
