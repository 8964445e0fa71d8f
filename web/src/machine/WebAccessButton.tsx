import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { can } from '@trainyard/contract/words/machine.ts'
import { Icon } from '#src/ui/Icon.tsx'
import { ReasonButton, type ReasonButtonProps } from '#src/ui/ReasonButton.tsx'
import { openInBrowser } from './open-in-browser.ts'

interface WebAccessButtonProps extends Pick<ReasonButtonProps, 'size' | 'variant'> {
  machine: Machine
  label?: string
}

export const WebAccessButton = ({
  machine,
  label = 'Web-based access',
  size = 'xs',
  variant = 'default',
}: WebAccessButtonProps) => (
  <ReasonButton
    variant={variant}
    size={size}
    leftSection={<Icon name="external" size={15} />}
    may={can.openInBrowser(machine)}
    aria-label={label === 'Web-based access' ? `${label} to ${machine.name}` : `${label}: ${machine.name}`}
    onClick={() => void openInBrowser(machine.name)}
  >
    {label}
  </ReasonButton>
)
