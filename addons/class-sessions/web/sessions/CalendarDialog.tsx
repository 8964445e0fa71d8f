import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { CalendarLinks } from '../CalendarLinks.tsx'
import { CloseButton, Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'

export default function CalendarDialog({ training, close }: { training: TrainingQuery; close: () => void }) {
  return (
    <Dialog title="Calendar link" close={close} foot={<CloseButton close={close} />}>
      <CalendarLinks training={training} />
    </Dialog>
  )
}
