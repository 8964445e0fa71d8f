import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { api } from '#src/api/client.ts'
import { queries, query } from '#src/api/queries.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { SelectTraining } from '#src/ui/SelectTraining.tsx'
import { notify } from '#src/ui/notices.ts'
import { ReasonButton } from '#src/ui/ReasonButton.tsx'
import { sentenceOf } from '#src/api/error.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { Screen } from '#src/ui/Screen.tsx'
import { Warnings } from '#src/ui/Warnings.tsx'
import { Removed } from './Removed.tsx'

const loadConfirmation = () => import('./ConfirmRemoval.tsx')
const ConfirmRemoval = lazy(loadConfirmation)

const REFRESH_MS = 30_000

/** Remove Lab Course: deletes a training's machines, once its consequences were read and its name typed. */
export default function DeleteTraining() {
  const { ofTraining, chooseTraining } = useSelection()
  const [asked, setAsked] = useState(false)
  const used = useQuery({ ...query(api.meter.bill, ofTraining), refetchInterval: REFRESH_MS })
  const removal = useMutation({
    mutationFn: (of: NonNullable<typeof ofTraining>) => api.machine.removeTraining(of),
    onSuccess: (reply) => {
      notify.status(reply.message || ALERTS.trainingDeleted)
      chooseTraining(null)
      // It was in pickers, lists and sums: all that is on the screen is asked for again.
      return queries.invalidateQueries()
    },
    onError: (error) => notify.alert(sentenceOf(error, ALERTS.trainingDeleteFailed), error),
    onSettled: () => setAsked(false),
  })
  const machines = used.data && used.data.Status.online + used.data.Status.offline
  const may = ofTraining === null ? ALERTS.pickTraining : !removal.isPending || 'It is being deleted.'
  return (
    <Screen>
      {ofTraining === null && (removal.isSuccess ? <Removed of={removal.variables} /> : <SelectTraining />)}
      <Warnings
        title={ofTraining === null ? 'Remove a lab course' : `Remove ${ofTraining.trainingName}`}
        goes={[
          machines === undefined
            ? 'All machines of the training are deleted at the provider, with their disks, addresses and network cards.'
            : `${machinesText(machines, used.data!.Status.online)} deleted at the provider, with disks, addresses and network cards.`,
          'What learners saved on them is lost. Sessions that are open end.',
          'Its ports, pending schedules and access window end with it.',
          'The lab module leaves Choose Lab Module. This can’t be undone.',
        ]}
        stays={[
          used.data
            ? `What it has cost: ${formatRupees(used.data.Amount)} so far stays billed.`
            : 'What it has cost stays billed.',
          'The machines stay listed as terminated, with their logs.',
          'Learners keep their accounts and their machines of other trainings.',
        ]}
      >
        <ReasonButton color="red" may={may} onClick={() => setAsked(true)}>
          {removal.isPending ? 'Deleting...' : 'Delete Training'}
        </ReasonButton>
      </Warnings>
      {asked && ofTraining && (
        <Suspense>
          <ConfirmRemoval
            of={ofTraining}
            machines={machines}
            busy={removal.isPending}
            remove={() => removal.mutate(ofTraining)}
            close={() => setAsked(false)}
          />
        </Suspense>
      )}
    </Screen>
  )
}

function machinesText(count: number, running: number): string {
  const on = running === 0 ? '' : running === count ? ', all running,' : `, ${running} of them running,`
  return count === 1 ? `1 machine${running === 1 ? ', running,' : ''} is` : `${count} machines${on} are`
}
