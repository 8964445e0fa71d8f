import { api } from '#src/api/client.ts'
import { invalidate } from '#src/api/queries.ts'
import { useDedupedMutation } from '#src/api/useDedupedMutation.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { notify } from '#src/ui/notices.ts'
import type { MachineDialogProps } from './machine-dialog.ts'

export default function ResetMachine({ machine, close }: MachineDialogProps) {
  const { name, resourceGroup, email } = machine
  const reset = useDedupedMutation({
    mutationFn: () => api.machine.reset([{ name, resourceGroup }]),
    onSuccess: ({ message }) => notify.status(message),
    onError: (error) => notify.alert(error.message),
    onSettled: () => {
      close()
      return invalidate('machine')
    },
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
