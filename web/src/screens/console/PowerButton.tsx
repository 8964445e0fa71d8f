import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { Icon } from '#src/ui/Icon.tsx'
import { ReasonButton } from '#src/ui/ReasonButton.tsx'
import type { Command } from './commands.ts'
import { powerActionOf } from './power-action.ts'

interface PowerButtonProps {
  machine: Machine
  act: (command: Command) => void
}

/** Power Off or Power On, whichever is possible now. */
export function PowerButton({ machine, act }: PowerButtonProps) {
  const { command, label, may } = powerActionOf(machine)
  return (
    <ReasonButton
      variant="default"
      size="xs"
      leftSection={<Icon name="power" size={15} />}
      may={may}
      aria-label={`${label} ${machine.name}`}
      onClick={() => act(command)}
    >
      {label}
    </ReasonButton>
  )
}
