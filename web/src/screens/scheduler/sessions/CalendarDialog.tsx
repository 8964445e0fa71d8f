import { Button } from '@mantine/core'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { CalendarLinks } from '#src/training/CalendarLinks.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'

export default function CalendarDialog({ of, close }: { of: TrainingQuery; close: () => void }) {
  return (
    <Dialog
      title="Link for other programs"
      close={close}
      foot={
        <Button variant="default" onClick={close}>
          Close
        </Button>
      }
    >
      <CalendarLinks training={of} />
    </Dialog>
  )
}
