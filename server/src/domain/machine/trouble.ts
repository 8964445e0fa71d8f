import { CloudError, NotItsTurn } from '../../providers/cloud.ts'

/** A failed step as the cloud's own trouble. What is a fault of ours is told, and shown as one. */
export function troubleOf(fault: unknown, onFault: (fault: unknown) => void): CloudError {
  if (fault instanceof CloudError) return fault
  onFault(fault)
  return new CloudError('unreachable', 'Something went wrong on our side; it is tried again.', 30)
}

/** What of a row tells that its steps fail. */
interface Failures {
  readonly attempts: number
  readonly trouble: string | null
}

/** What a row says after a failure. */
export function afterTrouble(error: CloudError, { attempts, trouble }: Failures): Failures {
  // Kept back by our own pacing, it was not even tried.
  if (error instanceof NotItsTurn) return { attempts, trouble }
  const routine = error.trouble === 'throttled' || error.trouble === 'conflict'
  // A pause that was asked for once or twice is no failure worth showing.
  return { attempts: attempts + 1, trouble: routine && attempts + 1 < 3 ? trouble : error.message }
}
