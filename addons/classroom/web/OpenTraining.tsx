import { CLASS, EXTENSION_MINUTES, timeIn } from '../contract/classroom-words.ts'
import type { Room } from '../contract/classroom.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'

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
