import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { EVERYTHING, query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { SelectTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { TypeNameDialog } from '@trainyard/platform/web/ui/TypeNameDialog.tsx'
import { Warnings } from '@trainyard/platform/web/ui/Warnings.tsx'
import { Removed } from './Removed.tsx'

const REFRESH_MS = 30_000

export default function DeleteTraining() {
  const { trainingQuery, chooseTraining } = useSelection()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const used = useQuery({ ...query(api.meter.bill, trainingQuery), refetchInterval: REFRESH_MS })
  const removal = useAction((training: NonNullable<typeof trainingQuery>) => api.machine.removeTraining(training), {
    // Everything is refetched, because a training is part of many lists and sums.
    invalidates: EVERYTHING,
    fallback: ALERTS.trainingDeleteFailed,
    done: ALERTS.trainingDeleted,
    onDone: () => chooseTraining(null),
    onSettled: () => setDialogOpen(false),
  })
  const machines = used.data && used.data.Status.online + used.data.Status.offline
  const may = trainingQuery === null ? ALERTS.pickTraining : !removal.isPending || 'The training is being deleted.'
  return (
    <Screen>
      {trainingQuery === null && (removal.isSuccess ? <Removed training={removal.variables} /> : <SelectTraining />)}
      <Warnings
        title={trainingQuery === null ? 'Remove a lab course' : `Remove ${trainingQuery.trainingName}`}
        deleted={[
          machines === undefined
            ? 'All machines of the training are deleted at the provider, with their disks, addresses and network cards.'
            : `${machinesText(machines, used.data!.Status.online)} deleted at the provider, with disks, addresses and network cards.`,
          'Data on the machines is lost. Open sessions end.',
          'Its ports, pending schedules and access window are deleted.',
          'The lab module disappears from Choose Lab Module. This can’t be undone.',
        ]}
        kept={[
          used.data
            ? `The cost so far, ${formatRupees(used.data.Amount)}, stays billed.`
            : 'The cost so far stays billed.',
          'The machines stay listed as terminated, with their logs.',
          'Learners keep their accounts and their machines in other trainings.',
        ]}
      >
        <ReasonButton color="red" may={may} onClick={() => setDialogOpen(true)}>
          {removal.isPending ? 'Deleting...' : 'Delete Training'}
        </ReasonButton>
      </Warnings>
      {isDialogOpen && trainingQuery && (
        <TypeNameDialog
          title={`Remove ${trainingQuery.trainingName}`}
          kind="training"
          name={trainingQuery.trainingName}
          confirm="Delete Training"
          busy={removal.isPending}
          remove={() => removal.mutate(trainingQuery)}
          close={() => setDialogOpen(false)}
        >
          <p>
            The training <strong>{trainingQuery.trainingName}</strong>
            {trainingQuery.organization && ` of ${trainingQuery.organization}`} will be removed, and{' '}
            {machines === undefined
              ? 'all its machines'
              : machines === 1
                ? 'its 1 machine'
                : `its ${machines} machines`}{' '}
            deleted with all their data. This can’t be undone.
          </p>
        </TypeNameDialog>
      )}
    </Screen>
  )
}

function machinesText(count: number, running: number): string {
  const on = running === 0 ? '' : running === count ? ', all running,' : `, ${running} of them running,`
  return count === 1 ? `1 machine${running === 1 ? ', running,' : ''} is` : `${count} machines${on} are`
}
