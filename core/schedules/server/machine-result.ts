import type { ScheduleAction } from '../contract/schedule-words.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'

export type MachineResult =
  | { readonly outcome: 'acted'; readonly reason: null }
  | { readonly outcome: 'skipped' | 'failed'; readonly reason: string }

type ScheduledMachine = Pick<
  MachineRow,
  'desired' | 'observed' | 'last_error' | 'allotted_minutes' | 'create_later'
> & {
  /** True if the machine's learner is deactivated. */
  readonly isOfDeactivated?: boolean
}

const ACTED: MachineResult = { outcome: 'acted', reason: null }
const skipped = (reason: string): MachineResult => ({ outcome: 'skipped', reason })

/**
 * Returns the result for one machine. A reason completes a sentence that begins with 'linux-1: '. A machine with a
 * failed operation is started or stopped again.
 */
export function machineResult(
  action: ScheduleAction,
  machine: ScheduledMachine,
  secondsUsed: number,
  refusal: string | null,
): MachineResult {
  const { desired, observed, last_error, allotted_minutes } = machine
  if (desired === 'gone') return skipped('being deleted')
  if (action === 'Stop') {
    if (desired !== 'stopped' || last_error !== null) return ACTED
    if (machine.create_later) return skipped('not created yet')
    return skipped(observed === 'stopped' ? 'already stopped' : 'already stopping')
  }
  if (machine.isOfDeactivated === true) return skipped('the account of its learner is deactivated')
  if (desired === 'running' && last_error === null) {
    return skipped(observed === 'running' ? 'already running' : 'already starting')
  }
  if (refusal !== null) return { outcome: 'failed', reason: refusal }
  if (allotted_minutes !== null && secondsUsed >= allotted_minutes * 60) {
    return { outcome: 'failed', reason: 'allocated hours are used up' }
  }
  return ACTED
}
