import type { Seat } from '@trainyard/contract/calls/classroom.ts'
import { learnerOf, learnerText } from '#src/machine/machine-list.ts'
import { MachineMenu } from '#src/machine/MachineMenu.tsx'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
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
