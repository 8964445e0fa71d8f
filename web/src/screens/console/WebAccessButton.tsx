import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { can } from '@trainyard/contract/words/machine.ts'
import { Icon } from '#src/ui/Icon.tsx'
import { ReasonButton } from '#src/ui/ReasonButton.tsx'
import { openInBrowser } from './open-in-browser.ts'

/** The button that opens a machine in the lab remote-access page. */
export const WebAccessButton = ({ machine }: { machine: Machine }) => (
  <ReasonButton
    variant="default"
    size="xs"
    leftSection={<Icon name="external" size={15} />}
    may={can.openInBrowser(machine)}
    aria-label={`Web-based access to ${machine.name}`}
    onClick={() => void openInBrowser(machine.name)}
  >
    Web-based access
  </ReasonButton>
)
