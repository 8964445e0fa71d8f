import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { Dialog } from '#src/ui/Dialog.tsx'

interface OrderedProps {
  trainingName: string
  waitMinutes: number
  close: () => void
}

/** The order stands; its machines can be watched coming up. */
export function Ordered({ trainingName, waitMinutes, close }: OrderedProps) {
  return (
    <Dialog title="Order VMs" close={close} foot={<Button onClick={close}>Close</Button>}>
      <output>{ALERTS.ordered(waitMinutes)}</output>
      <p>
        <Link to="/vm/vmdetails" search={(now: object) => ({ ...now, training: trainingName })}>
          Watch {trainingName} in the Virtual Lab Console
        </Link>
      </p>
    </Dialog>
  )
}
