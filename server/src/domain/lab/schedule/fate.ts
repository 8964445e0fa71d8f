import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import type { MachineRow } from '../../../db/schema/machine.ts'

/** The fate of one machine in a schedule: it acts, has nothing to do, or can't; with why, unless it acts. */
export type Fate =
  | { readonly outcome: 'acted'; readonly reason: null }
  | { readonly outcome: 'skipped' | 'failed'; readonly reason: string }

type ScheduledMachine = Pick<MachineRow, 'desired' | 'observed' | 'last_error' | 'allotted_minutes' | 'create_later'>

const ACTED: Fate = { outcome: 'acted', reason: null }
const skipped = (reason: string): Fate => ({ outcome: 'skipped', reason })

/** The reason completes 'linux-1: ...'. A machine that fails on its way is set going anew. */
export function fateOf(
  action: ScheduleAction,
  machine: ScheduledMachine,
  secondsUsed: number,
  isLeashed: boolean,
): Fate {
  const { desired, observed, last_error, allotted_minutes } = machine
  if (desired === 'gone') return skipped('being deleted')
  if (action === 'Stop') {
    if (desired !== 'stopped' || last_error !== null) return ACTED
    if (machine.create_later) return skipped('not created yet')
    return skipped(observed === 'stopped' ? 'already stopped' : 'already stopping')
  }
  if (desired === 'running' && last_error === null) {
    return skipped(observed === 'running' ? 'already running' : 'already starting')
  }
  if (isLeashed) return { outcome: 'failed', reason: 'the budget is used up' }
  if (allotted_minutes !== null && secondsUsed >= allotted_minutes * 60) {
    return { outcome: 'failed', reason: 'allotted hours are used up' }
  }
  return ACTED
}
