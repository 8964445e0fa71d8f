import type { MachineRow } from '../../../db/schema/machine.ts'
import { backoff, CONFLICT_PAUSE, LONGEST_PAUSE } from '../../../reconcile/failures.ts'
import type { Next } from './next.ts'

/** The sweep over all sees a machine at work; only one that it did not see for this long is looked at by itself. */
const WAIT_SECONDS = 90
const WAIT_SECONDS_MOST = 600
/** A deletion goes on when its machine has left the list, or after this long: those of a class not all at once. */
const DELETE_SECONDS = { least: 20, most: 45 }
/** The parts of a deleted machine are asked after this often. */
export const DELETE_PARTS_SECONDS = 5
/** A password that is being set: a few are there at once, most take about 20 s, one in ten takes minutes. */
const PASSWORD_SECONDS = { least: 1, usual: 10, most: 60 }

/** Seconds until the reconciler should take the machine up again; null: not before something changes. */
export function pauseBefore(next: Next, machine: MachineRow, now: Date): number | null {
  switch (next) {
    case 'settled':
      return null
    case 'hold':
      return secondsHeld(machine, now)
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

/** Until the stop can be undone no more. */
export const secondsHeld = ({ not_before }: MachineRow, now: Date): number =>
  not_before === null ? 0 : Math.max(0, (not_before.getTime() - now.getTime()) / 1000)

/** Since the cloud took the command. */
const secondsAtWork = ({ command_at }: MachineRow, now: Date): number =>
  command_at === null ? 0 : (now.getTime() - command_at.getTime()) / 1000
