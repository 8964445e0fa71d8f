import { refOf } from '../contract/machine-ref.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { hoursAllotted, hoursUsed } from '@trainyard/platform/web/ui/hours.ts'
import type { MachineDialogProps } from './machine-dialog.ts'

export default function ReplaceMachine({ machines, close }: MachineDialogProps) {
  const machine = machines[0]!
  const { name, email, quota } = machine
  const replace = useAction(() => api.machine.replace(refOf(machine)), {
    invalidates: ['machine', 'training'],
    refetchesOnFailure: true,
    onSettled: close,
  })
  return (
    <ConfirmDialog
      title={`Replace ${name}`}
      confirm="Replace"
      busy={replace.isPending && 'Replacing...'}
      destroys
      onConfirm={() => replace.mutate()}
      close={close}
    >
      <p>
        {email} gets another machine of the same card: a ready one if one waits, otherwise a new one. {name} and its
        disk are deleted. This can’t be undone.
      </p>
      <p>
        The {hoursUsed(quota.consumed)} hours used so far stay billed.{' '}
        {quota.total === null
          ? 'The new machine has no limit of hours.'
          : `Of ${hoursAllotted(quota.total)} hours, ${hoursUsed(Math.max(0, quota.total - quota.consumed))} are left and go to the new machine.`}
      </p>
    </ConfirmDialog>
  )
}
