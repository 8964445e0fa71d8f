import type { MachineRow } from '../tables.gen.ts'
import {
  backoff,
  MAX_CONFLICT_PAUSE_SECONDS,
  MAX_PAUSE_SECONDS,
} from '@trainyard/platform/server/run/reconcile/failures.ts'
import type { NextAction } from './next.ts'

/** Seconds without a sweep of the machine after which it is read separately. */
const WAIT_SECONDS = 90
const WAIT_SECONDS_MOST = 600
/** Random pause in seconds, so that the machines of a class are not all read at the same time. */
const DELETE_SECONDS = { least: 20, most: 45 }
export const DELETE_PARTS_SECONDS = 5
/**
 * Seconds to set a password: a few passwords take less than a second, most take about 20 s, one in ten takes minutes.
 */
const PASSWORD_SECONDS = { least: 1, usual: 10, most: 60 }

/** Returns the seconds until the next step, or null if there is no step until the row changes. */
export function pauseBefore(action: NextAction, machine: MachineRow, now: Date): number | null {
  switch (action) {
    case 'settled':
      return null
    case 'hold':
      return secondsOfHold(machine, now)
    case 'wait':
      return Math.min(WAIT_SECONDS_MOST, Math.max(WAIT_SECONDS, secondsInProgress(machine, now) / 2))
    case 'password':
      if (machine.attempts > 0) return Math.max(1, backoff(machine.attempts, MAX_CONFLICT_PAUSE_SECONDS))
      return secondsToPasswordPoll((now.getTime() - (machine.observed_at?.getTime() ?? 0)) / 1000)
    case 'read':
      return machine.attempts === 0 ? 1 : backoff(machine.attempts, 30)
    case 'delete':
      if (machine.command === 'delete' && machine.command_accepted) return randomSeconds(DELETE_SECONDS)
      return 0
    default:
      return machine.attempts === 0 ? 0 : backoff(machine.attempts, MAX_PAUSE_SECONDS)
  }
}

const randomSeconds = ({ least, most: max }: { readonly least: number; readonly most: number }): number =>
  least + Math.random() * (max - least)

/**
 * Returns the seconds until the next poll. The machine is polled 0, 1, 4, 14, 24, 34, 45 and 60 s after it started to
 * run, then less and less often.
 */
function secondsToPasswordPoll(since: number): number {
  const { least, usual, most } = PASSWORD_SECONDS
  return Math.min(most, Math.max(least, Math.min(usual, 3 * since), since / 3))
}

/** Returns the seconds until the address is read again. Some providers assign it seconds after the machine runs. */
export const secondsToAddressRead = ({ observed_at }: MachineRow, now: Date): number =>
  Math.min(60, Math.max(0.5, (now.getTime() - (observed_at?.getTime() ?? 0)) / 3_000))

export const secondsOfHold = ({ not_before }: MachineRow, now: Date): number =>
  not_before === null ? 0 : Math.max(0, (not_before.getTime() - now.getTime()) / 1000)

const secondsInProgress = ({ command_at }: MachineRow, now: Date): number =>
  command_at === null ? 0 : (now.getTime() - command_at.getTime()) / 1000
