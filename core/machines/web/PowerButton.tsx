import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay'
import IconPlayerStop from '@tabler/icons-react/icons/IconPlayerStop'
import type { Machine } from '../contract/machine.ts'
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
      leftSection={
        command === 'on' ? <IconPlayerPlay size={15} aria-hidden /> : <IconPlayerStop size={15} aria-hidden />
      }
      may={may}
      aria-label={`${label} ${machine.name}`}
      onClick={() => act(command)}
    >
      {label}
    </ReasonButton>
  )
}
