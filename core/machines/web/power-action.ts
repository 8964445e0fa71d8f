import type { Machine } from '../contract/machine.ts'
import { can } from '../contract/machine-words.ts'
import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'

/** Returns the power action that is possible; during a change, the action that reverses it. */
export function powerActionOf(machine: Machine): { command: 'on' | 'off'; label: string; may: TrueOrReason } {
  const again = machine.status === 'Failing' && machine.refused
  const leads = can.powerOff(machine) === true || machine.status === 'Starting' || machine.status === 'Restarting'
  return leads && !again
    ? { command: 'off', label: 'Power Off', may: can.powerOff(machine) }
    : { command: 'on', label: 'Power On', may: can.powerOn(machine) }
}
