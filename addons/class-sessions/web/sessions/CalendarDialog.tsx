import { Button } from '@mantine/core'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { CalendarLinks } from '../CalendarLinks.tsx'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'

export default function CalendarDialog({ training, close }: { training: TrainingQuery; close: () => void }) {
  return (
    <Dialog
      title="Calendar link"
      close={close}
      foot={
        <Button variant="default" onClick={close}>
          Close
        </Button>
      }
    >
      <CalendarLinks training={training} />
    </Dialog>
  )
}
