import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { SelectTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Warnings } from '@trainyard/platform/web/ui/Warnings.tsx'

export default function DeleteLogs() {
  const { trainingQuery } = useSelection()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const names = useQuery({ ...query(api.machine.names, trainingQuery), select: (reply) => reply.vmList.length })
  const clearing = useAction((training: NonNullable<typeof trainingQuery>) => api.meter.clearLogs(training), {
    invalidates: [api.meter.logs, api.meter.trainingLogs],
    fallback: ALERTS.logsDeleteFailed,
    done: ALERTS.logsDeleted,
    onSettled: () => setDialogOpen(false),
  })
  const machines =
    names.data === undefined
      ? 'all machines'
      : names.data === 1
        ? 'its 1 machine'
        : `all ${names.data} machines, including terminated ones`
  const may = trainingQuery === null ? ALERTS.pickTraining : !clearing.isPending || 'The logs are being deleted.'
  return (
    <Screen>
      {trainingQuery === null && <SelectTraining />}
      <Warnings
        title={
          trainingQuery === null ? 'Delete the logs of a training' : `Delete the logs of ${trainingQuery.trainingName}`
        }
        deleted={[
          `The Session Logs of ${machines} are emptied for everyone, including runs in progress.`,
          'Past run times can no longer be viewed here. This can’t be undone.',
        ]}
        kept={['Bills and used quota do not change.', 'Machines keep running, and new runs are logged.']}
      >
        <ReasonButton color="red" may={may} onClick={() => setDialogOpen(true)}>
          {clearing.isPending ? 'Deleting...' : 'Delete Logs'}
        </ReasonButton>
      </Warnings>
      {isDialogOpen && trainingQuery && (
        <ConfirmDialog
          title={`Delete the logs of ${trainingQuery.trainingName}`}
          confirm="Delete Logs"
          busy={clearing.isPending && 'Deleting...'}
          destroys
          onConfirm={() => clearing.mutate(trainingQuery)}
          close={() => setDialogOpen(false)}
        >
          <p>
            The Session Logs of {machines} of <strong>{trainingQuery.trainingName}</strong>
            {trainingQuery.organization && ` of ${trainingQuery.organization}`} are emptied. This can’t be undone. Bills
            and quotas do not change.
          </p>
        </ConfirmDialog>
      )}
    </Screen>
  )
}
