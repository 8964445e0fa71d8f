import { CloudError, NotItsTurn } from '../../providers/cloud.ts'

/** A failed step as an error of the cloud. A bug of ours is reported, and shown as one. */
export function errorOf(fault: unknown, onFault: (fault: unknown) => void): CloudError {
  if (fault instanceof CloudError) return fault
  onFault(fault)
  return new CloudError('unreachable', 'Something went wrong on our side; it is tried again.', 30)
}

/** What of a row tells that its steps fail. */
interface Failures {
  readonly attempts: number
  readonly last_error: string | null
}

/** What a row says after a failure. */
export function afterError(error: CloudError, { attempts, last_error }: Failures): Failures {
  // Kept back by our own pacing, it was not even tried.
  if (error instanceof NotItsTurn) return { attempts, last_error }
  const routine = error.kind === 'throttled' || error.kind === 'conflict'
  // A pause that was asked for once or twice is no failure worth showing.
  return { attempts: attempts + 1, last_error: routine && attempts + 1 < 3 ? last_error : error.message }
}
