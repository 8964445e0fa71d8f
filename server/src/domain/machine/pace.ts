import type { MachineRow } from '../../db/schema/machine.ts'
import { type CloudError, NotItsTurn } from '../../providers/cloud.ts'
import type { Next } from './next.ts'

/** The sweep over all sees a machine at work; only one that it did not see for this long is looked at by itself. */
const WAIT_SECONDS = 90
const WAIT_SECONDS_MOST = 600
/** A deletion goes on when its machine has left the list, or after this long: those of a class not all at once. */
const DELETE_SECONDS = { least: 20, most: 45 }
/** What a deleted machine brought is asked after this often. */
export const DELETE_PARTS_SECONDS = 5
/** A password that is being set: a few are there at once, most take about 20 s, one in ten takes minutes. */
const PASSWORD_SECONDS = { least: 1, usual: 10, most: 60 }
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
      return secondsToPassword((now.getTime() - (machine.observed_at?.getTime() ?? 0)) / 1000)
    case 'look':
      return machine.attempts === 0 ? 1 : backoff(machine.attempts, 30)
    case 'delete':
      if (machine.command === 'delete' && machine.command_accepted) return spread(DELETE_SECONDS)
      return 0
    default:
      return machine.attempts === 0 ? 0 : backoff(machine.attempts, LONGEST_PAUSE)
  }
}

const spread = ({ least, most }: { readonly least: number; readonly most: number }): number =>
  least + Math.random() * (most - least)

/** By the seconds since the machine came to run: 0, 1, 4, 14, 24, 34, 45, 60 and then ever more seldom. */
function secondsToPassword(since: number): number {
  const { least, usual, most } = PASSWORD_SECONDS
  return Math.min(most, Math.max(least, Math.min(usual, 3 * since), since / 3))
}

/** Since the cloud took the command. */
const secondsAtWork = ({ command_at }: MachineRow, now: Date): number =>
  command_at === null ? 0 : (now.getTime() - command_at.getTime()) / 1000

/** Seconds to wait after a failure: growing, capped, jittered, and never shorter than the provider asked for. */
export function pauseAfter(error: CloudError, attempts: number): number {
  // Those who wait for the same turn come back one after the other, not all at once.
  if (error instanceof NotItsTurn) return (error.retryAfter ?? 1) + Math.random() * 2
  const most = error.kind === 'conflict' ? CONFLICT_PAUSE : LONGEST_PAUSE
  return Math.max(error.retryAfter ?? 0, backoff(attempts, Math.min(most, error.patience ?? most)))
}

function backoff(attempts: number, cap: number): number {
  return Math.min(cap, 2 ** Math.min(attempts, 12)) * (0.5 + Math.random() / 2)
}
