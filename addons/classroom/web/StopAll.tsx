import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import { offerUndo } from '@trainyard/machines/web/commands.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useClassAction } from './useClassAction.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'

interface StopAllProps {
  training: TrainingQuery
  /** Number of running machines; null if it is not known. */
  running: number | null
  /** Number of raised hands. */
  hands?: number
  close: () => void
}

export default function StopAll({ training, running, hands = 0, close }: StopAllProps) {
  const [idempotencyKey] = useState(newId)
  const stop = useClassAction(
    () => api.classroom.power({ ...training, operation: 0, all: true }, { idempotencyKey }),
    (reply) => {
      offerUndo(reply)
      close()
    },
  )
  return (
    <ConfirmDialog
      title="Stop all"
      confirm="Stop all"
      busy={stop.isPending && 'Stopping...'}
      onConfirm={() => stop.mutate()}
      close={close}
    >
      <p style={{ maxWidth: '34rem' }}>
        {running === null
          ? `All running machines of ${training.trainingName} are stopped`
          : running === 1
            ? '1 machine runs'
            : `${running} machines run`}
        . Stopping ends open terminals and desktops, and work that is not saved is lost. You can undo it for a few
        seconds.{hands > 0 && ` ${countOf(hands, 'raised hand')} ${hands === 1 ? 'is' : 'are'} lowered.`}
      </p>
    </ConfirmDialog>
  )
}
