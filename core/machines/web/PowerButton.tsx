import type { Machine } from '../contract/machine.ts'
import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import { ReasonButton, type ReasonButtonProps } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import type { Command } from './commands.ts'
import { powerActionOf } from './power-action.ts'

interface PowerButtonProps extends Pick<ReasonButtonProps, 'size' | 'variant'> {
  machine: Machine
  act: (command: Command) => void
}

export function PowerButton({ machine, act, size = 'xs', variant = 'default' }: PowerButtonProps) {
  const { command, label, may } = powerActionOf(machine)
  return (
    <ReasonButton
      variant={variant}
      size={size}
      leftSection={<Icon name={command === 'on' ? 'play' : 'stop'} size={15} />}
      may={may}
      aria-label={`${label} ${machine.name}`}
      onClick={() => act(command)}
    >
      {label}
    </ReasonButton>
  )
}
