import { CloudError, NotItsTurn } from '../providers/errors.ts'
import { PaymentsError } from '../providers/payments.ts'

/** An error of a provider's: what kept a step from doing its work. */
export type StepError = CloudError | PaymentsError

/** The columns of a row that tell that its steps fail. */
export interface Failures {
  readonly attempts: number
  readonly last_error: string | null
}

/** Seconds. Somebody waits for what failed: it is tried again within this long, unless the provider asks for more. */
export const LONGEST_PAUSE = 60
/** Seconds. What is busy is free again soon. */
export const CONFLICT_PAUSE = 30

/** Returns what a step threw as an error of its provider's. A bug of ours is told, and shown as one. */
export function errorOf(thrown: unknown, onBug: (bug: unknown) => void): StepError {
  if (thrown instanceof CloudError || thrown instanceof PaymentsError) return thrown
  onBug(thrown)
  return new CloudError('unreachable', 'Something went wrong on our side; it is tried again.', 30)
}

/** Returns what a row says after a failure. */
export function afterError(error: StepError, { attempts, last_error }: Failures): Failures {
  // Kept back by our own pacing, it was not even tried.
  if (error instanceof NotItsTurn) return { attempts, last_error }
  const routine = error.kind === 'throttled' || error.kind === 'conflict'
  // A pause that was asked for once or twice is no failure worth showing.
  return { attempts: attempts + 1, last_error: routine && attempts + 1 < 3 ? last_error : error.message }
}

/** Seconds to wait after a failure: growing, capped, jittered, and never shorter than the provider asked for. */
export function pauseAfter(error: StepError, attempts: number): number {
  // Those who wait for the same turn come back one after the other, not all at once.
  if (error instanceof NotItsTurn) return (error.retryAfter ?? 1) + Math.random() * 2
  const most = error.kind === 'conflict' ? CONFLICT_PAUSE : LONGEST_PAUSE
  const patience = error instanceof CloudError ? error.patience : null
  return Math.max(error.retryAfter ?? 0, backoff(attempts, Math.min(most, patience ?? most)))
}

/** Seconds that double with each attempt, up to a cap, less up to a half at random. */
export function backoff(attempts: number, cap: number): number {
  return Math.min(cap, 2 ** Math.min(attempts, 12)) * (0.5 + Math.random() / 2)
}
