import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { can } from '@trainyard/contract/words/machine.ts'
import { Icon } from '#src/ui/Icon.tsx'
import { ReasonButton } from '#src/ui/ReasonButton.tsx'
import type { Command } from './commands.ts'

interface PowerButtonProps {
  machine: Machine
  act: (command: Command) => void
}

/** Power Off or Power On: the one that is possible now; while neither is, the one that undoes the change under way. */
export function PowerButton({ machine, act }: PowerButtonProps) {
  // A machine whose failure is final is tried again by Power On.
  const again = machine.status === 'Failing' && machine.refused
  const leads = can.powerOff(machine) === true || machine.status === 'Starting' || machine.status === 'Restarting'
  const off = leads && !again
  const label = off ? 'Power Off' : 'Power On'
  return (
    <ReasonButton
      variant="default"
      size="xs"
      leftSection={<Icon name="power" size={15} />}
      may={off ? can.powerOff(machine) : can.powerOn(machine)}
      aria-label={`${label} ${machine.name}`}
      onClick={() => act(off ? 'off' : 'on')}
    >
      {label}
    </ReasonButton>
  )
}
