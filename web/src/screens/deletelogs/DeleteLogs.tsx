import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { api } from '#src/api/client.ts'
import { invalidate, query } from '#src/api/queries.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { SelectTraining } from '#src/ui/SelectTraining.tsx'
import { notify } from '#src/ui/notices.ts'
import { ReasonButton } from '#src/ui/ReasonButton.tsx'
import { sentenceOf } from '#src/api/error.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { Screen } from '#src/ui/Screen.tsx'
import { Warnings } from '#src/ui/Warnings.tsx'

/** Logs Cleanup: empties the log screens of a training's machines, and touches no bill. */
export default function DeleteLogs() {
  const { ofTraining } = useSelection()
  const [asked, setAsked] = useState(false)
  const names = useQuery({ ...query(api.machine.names, ofTraining), select: (reply) => reply.vmList.length })
  const clearing = useMutation({
    mutationFn: (of: NonNullable<typeof ofTraining>) => api.meter.clearLogs(of),
    onSuccess: (reply) => {
      notify.status(reply.message || ALERTS.logsDeleted)
      return invalidate(api.meter.logs)
    },
    onError: (error) => notify.alert(sentenceOf(error, ALERTS.logsDeleteFailed), error),
    onSettled: () => setAsked(false),
  })
  const machines =
    names.data === undefined
      ? 'all machines'
      : names.data === 1
        ? 'its 1 machine'
        : `all ${names.data} machines, terminated ones too`
  const may = ofTraining === null ? ALERTS.pickTraining : !clearing.isPending || 'They are being deleted.'
  return (
    <Screen>
      {ofTraining === null && <SelectTraining />}
      <Warnings
        title={ofTraining === null ? 'Delete the logs of a training' : `Delete the logs of ${ofTraining.trainingName}`}
        goes={[
          `The Session Logs of ${machines} become empty for everyone, runs under way included.`,
          'When a machine was on in the past can’t be looked up here any more. This can’t be undone.',
        ]}
        stays={[
          'Bills and what is used of the quota: neither changes by a minute.',
          'The machines: they keep running, and their next starts are logged again.',
        ]}
      >
        <ReasonButton color="red" may={may} onClick={() => setAsked(true)}>
          {clearing.isPending ? 'Deleting...' : 'Delete Logs'}
        </ReasonButton>
      </Warnings>
      {asked && ofTraining && (
        <ConfirmDialog
          title={`Delete the logs of ${ofTraining.trainingName}`}
          confirm="Delete Logs"
          busy={clearing.isPending && 'Deleting...'}
          destroys
          onConfirm={() => clearing.mutate(ofTraining)}
          close={() => setAsked(false)}
        >
          <p>
            The Session Logs of {machines} of <strong>{ofTraining.trainingName}</strong>
            {ofTraining.organization && ` of ${ofTraining.organization}`} become empty. This can’t be undone; bills and
            quotas stay as they are.
          </p>
        </ConfirmDialog>
      )}
    </Screen>
  )
}
