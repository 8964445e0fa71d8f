import type { Machine } from '../contract/machine.ts'
import { can } from '../contract/machine-words.ts'
import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import { ReasonButton, type ReasonButtonProps } from '@trainyard/platform/web/ui/ReasonButton.tsx'
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
