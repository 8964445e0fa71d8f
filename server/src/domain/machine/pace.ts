import type { MachineRow } from '../../db/schema/machine.ts'
import { type CloudError, type CloudTrouble, NotItsTurn } from '../../providers/cloud.ts'
import type { Next } from './next.ts'

/** A machine at work is looked at this often by itself; the sweep over all usually sees it sooner. */
const WAIT_SECONDS = 30
/** A password that is being set is asked after this often. */
const PASSWORD_SECONDS = 1
const PATIENCE: Record<CloudTrouble, number> = {
  throttled: 60,
  conflict: 30,
  unreachable: 60,
  capacity: 300,
  quota: 300,
  refused: 300,
  unauthorised: 300,
}

/** Seconds until the reconciler should take the machine up again; null: not before something changes. */
export function pauseBefore(next: Next, machine: MachineRow, now: Date): number | null {
  switch (next) {
    case 'settled':
      return null
    case 'wait':
      return WAIT_SECONDS
    case 'password':
      return Math.max(PASSWORD_SECONDS, machine.attempts === 0 ? 0 : backoff(machine.attempts, PATIENCE.conflict))
    case 'look':
      return machine.attempts === 0 ? 1 : backoff(machine.attempts, 30)
    case 'delete':
      if (machine.command === 'delete' && machine.command_accepted) {
        const busy = (now.getTime() - machine.command_at!.getTime()) / 1000
        return Math.min(10, Math.max(1, busy / 4))
      }
      return 0
    default:
      return machine.attempts === 0 ? 0 : backoff(machine.attempts, PATIENCE.capacity)
  }
}

/** Seconds to wait after a failure: growing, capped, jittered, and never shorter than the provider asked for. */
export function pauseAfter(error: CloudError, attempts: number): number {
  // Those who wait for the same turn come back one after the other, not all at once.
  if (error instanceof NotItsTurn) return (error.retryAfter ?? 1) + Math.random() * 2
  return Math.max(error.retryAfter ?? 0, backoff(attempts, error.patience ?? PATIENCE[error.trouble]))
}

function backoff(attempts: number, cap: number): number {
  return Math.min(cap, 2 ** Math.min(attempts, 12)) * (0.5 + Math.random() / 2)
}
