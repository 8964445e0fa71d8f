import { api } from '#src/api/client.ts'
import { useAction } from '#src/api/useAction.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import type { MachineDialogProps } from './machine-dialog.ts'

export default function ResetMachine({ machine, close }: MachineDialogProps) {
  const { name, resourceGroup, email } = machine
  const reset = useAction(() => api.machine.reset([{ name, resourceGroup }]), {
    invalidates: ['machine'],
    refetchesOnFailure: true,
    onSettled: close,
  })
  return (
    <ConfirmDialog
      title={`Reset ${name}`}
      confirm="Reset"
      busy={reset.isPending && 'Resetting...'}
      destroys
      onConfirm={() => reset.mutate()}
      close={close}
    >
      <p>{name} and all its data will be deleted, and the machine is created again as ordered. This can’t be undone.</p>
      <p>
        The machine stays assigned to {email}, and its used hours keep counting. It gets a new disk, a new address and a
        new password. A stopped machine is created and then stopped again.
      </p>
    </ConfirmDialog>
  )
}
