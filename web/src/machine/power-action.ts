import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { can, type May } from '@trainyard/contract/words/machine.ts'

/** Returns the power action that is possible now; while neither is, the one that undoes the change under way. */
export function powerActionOf(machine: Machine): { command: 'on' | 'off'; label: string; may: May } {
  // A machine whose failure is final is tried again by Power On.
  const again = machine.status === 'Failing' && machine.refused
  const leads = can.powerOff(machine) === true || machine.status === 'Starting' || machine.status === 'Restarting'
  return leads && !again
    ? { command: 'off', label: 'Power Off', may: can.powerOff(machine) }
    : { command: 'on', label: 'Power On', may: can.powerOn(machine) }
}
