import type { Seat } from '../contract/classroom.ts'
import { learnerOf, learnerText } from '@trainyard/machines/web/machine-list.ts'
import { MachineMenu } from '@trainyard/machines/web/MachineMenu.tsx'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { SeatButtons, SeatFacts } from './SeatTile.tsx'

interface SeatDialogProps {
  training: TrainingQuery
  seat: Seat
  now: number
  hiddenAs: string | null
  queued: number | undefined
  close: () => void
}

/** Shows the facts and actions of a compact seat. */
export default function SeatDialog({ training, seat, now, hiddenAs, queued, close }: SeatDialogProps) {
  const learnerName = hiddenAs ?? learnerText(seat.machine)
  return (
    <Dialog title={learnerName} close={close}>
      <div className="stack">
        <SeatFacts training={training} seat={seat} now={now} hiddenAs={hiddenAs} queued={queued} />
        <SeatButtons seat={seat} who={hiddenAs ?? learnerOf(seat.machine)} hidden={hiddenAs !== null} />
        {hiddenAs === null && (
          <div className="ends">
            <span className="dim">More actions</span>
            <MachineMenu machine={seat.machine} ofClass />
          </div>
        )}
      </div>
    </Dialog>
  )
}
