import { CLASS, EXTENSION_MINUTES, timeIn } from '@trainyard/contract/words/classroom.ts'
import type { Room } from '@trainyard/contract/calls/classroom.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { countOf } from '#src/ui/count-of.ts'
import { useNow } from '#src/ui/useNow.ts'

interface OpenTrainingProps {
  room: Room
  learners: number
  busy: boolean
  open: () => void
  close: () => void
}

/** Asks before a closed training opens to its learners. */
export default function OpenTraining({ room: { window, timeZone }, learners, busy, open, close }: OpenTrainingProps) {
  const until = new Date(useNow().getTime() + EXTENSION_MINUTES * 60_000)
  return (
    <ConfirmDialog title={CLASS.open} confirm="Open" busy={busy && 'Opening...'} onConfirm={open} close={close}>
      <p>
        This training is closed now; its hours are {window!.start} to {window!.stop}. {countOf(learners, 'learner')} can
        use and start {learners === 1 ? 'their machine' : 'their machines'} until {timeIn(until, timeZone)}.
      </p>
    </ConfirmDialog>
  )
}
