import type { MachineRow } from '../../db/schema/machine.ts'
import { type CloudError, NotItsTurn } from '../../providers/cloud.ts'
import type { Next } from './next.ts'

/** The sweep over all sees a machine at work; only one that it did not see for this long is looked at by itself. */
const WAIT_SECONDS = 90
const WAIT_SECONDS_MOST = 600
/** A machine that is being deleted likewise. When it has gone, what it brought is asked after this often. */
const DELETE_SECONDS = 30
export const DELETE_PARTS_SECONDS = 5
/** A password that is being set is asked after this often: most take about 20 s, a few are there at once. */
const PASSWORD_SECONDS = 10
const PASSWORD_AT_ONCE_MS = 3_000
/** Somebody waits for what failed: it is tried again within this long, unless the provider asks for more. */
const LONGEST_PAUSE = 60
/** What is busy is free again soon. */
const CONFLICT_PAUSE = 30

/** Seconds until the reconciler should take the machine up again; null: not before something changes. */
export function pauseBefore(next: Next, machine: MachineRow, now: Date): number | null {
  switch (next) {
    case 'settled':
      return null
    case 'wait':
      return Math.min(WAIT_SECONDS_MOST, Math.max(WAIT_SECONDS, secondsAtWork(machine, now) / 2))
    case 'password':
      if (machine.attempts > 0) return Math.max(1, backoff(machine.attempts, CONFLICT_PAUSE))
      return now.getTime() - (machine.observed_at?.getTime() ?? 0) < PASSWORD_AT_ONCE_MS ? 1 : PASSWORD_SECONDS
    case 'look':
      return machine.attempts === 0 ? 1 : backoff(machine.attempts, 30)
    case 'delete':
      if (machine.command === 'delete' && machine.command_accepted) return DELETE_SECONDS
      return 0
    default:
      return machine.attempts === 0 ? 0 : backoff(machine.attempts, LONGEST_PAUSE)
  }
}

/** Since the cloud took the command. */
const secondsAtWork = ({ command_at }: MachineRow, now: Date): number =>
  command_at === null ? 0 : (now.getTime() - command_at.getTime()) / 1000

/** Seconds to wait after a failure: growing, capped, jittered, and never shorter than the provider asked for. */
export function pauseAfter(error: CloudError, attempts: number): number {
  // Those who wait for the same turn come back one after the other, not all at once.
  if (error instanceof NotItsTurn) return (error.retryAfter ?? 1) + Math.random() * 2
  const most = error.trouble === 'conflict' ? CONFLICT_PAUSE : LONGEST_PAUSE
  return Math.max(error.retryAfter ?? 0, backoff(attempts, Math.min(most, error.patience ?? most)))
}

function backoff(attempts: number, cap: number): number {
  return Math.min(cap, 2 ** Math.min(attempts, 12)) * (0.5 + Math.random() / 2)
}
