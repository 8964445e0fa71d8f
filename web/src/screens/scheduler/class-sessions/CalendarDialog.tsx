import { Button } from '@mantine/core'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { CalendarLinks } from '#src/training/CalendarLinks.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'

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
