import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { type MachineDialogProps, machinesText, placesOf } from './machine-dialog.ts'

export default function ResetMachine({ machines, close }: MachineDialogProps) {
  const [first, second] = machines
  const subject = machinesText(machines)
  const reset = useAction(() => api.machine.reset(placesOf(machines)), {
    invalidates: ['machine'],
    refetchesOnFailure: true,
    onSettled: close,
  })
  return (
    <ConfirmDialog
      title={`Reset ${subject}`}
      confirm="Reset"
      busy={reset.isPending && 'Resetting...'}
      destroys
      onConfirm={() => reset.mutate()}
      close={close}
    >
      {second === undefined ? (
        <>
          <p>
            {subject} and all its data will be deleted, and the machine is created again as ordered. This can’t be
            undone.
          </p>
          <p>
            The machine stays assigned to {first!.email}, and its used hours keep counting. It gets a new disk, a new
            address and a new password. A stopped machine is created and then stopped again.
          </p>
        </>
      ) : (
        <>
          <p>
            {subject} and all their data will be deleted, and they are created again as ordered. This can’t be undone.
          </p>
          <p>
            The machines stay assigned to their learners, and their used hours keep counting. They get new disks, new
            addresses and new passwords. Stopped machines are created and then stopped again.
          </p>
        </>
      )}
    </ConfirmDialog>
  )
}
