import IconExternalLink from '@tabler/icons-react/icons/IconExternalLink'
import type { Machine } from '../contract/machine.ts'
import { can } from '../contract/machine-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { ReasonButton, type ReasonButtonProps } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { provided } from '@trainyard/platform/web/shell/modules.ts'
import { openInTab } from './open-in-browser.ts'
import { webAccess } from './slots.ts'

interface WebAccessButtonProps extends Pick<ReasonButtonProps, 'size' | 'variant'> {
  machine: Machine
  label?: string
}

export function WebAccessButton({
  machine,
  label = 'Web-based access',
  size = 'xs',
  variant = can.openInBrowser(machine) === true ? 'filled' : 'default',
}: WebAccessButtonProps) {
  const access = provided(webAccess)
  if (access === null) return null
  return (
    <ReasonButton
      variant={variant}
      size={size}
      leftSection={<IconExternalLink size={15} aria-hidden />}
      may={can.openInBrowser(machine)}
      aria-label={label === 'Web-based access' ? `${label} to ${machine.name}` : `${label}: ${machine.name}`}
      onClick={() => void openInTab(() => access.open(api, machine.name))}
    >
      {label}
    </ReasonButton>
  )
}
