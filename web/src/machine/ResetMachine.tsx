import { api } from '#src/api/client.ts'
import { invalidate } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { notify } from '#src/ui/notices.ts'
import type { MachineDialogProps } from './machine-dialog.ts'

/** Asks before a machine is made anew as it was ordered. */
export default function ResetMachine({ machine, close }: MachineDialogProps) {
  const { name, resourceGroup, email } = machine
  const reset = useMutation({
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
      <p>{name} is deleted with all that is on it, and made anew as it was ordered. This can’t be undone.</p>
      <p>
        It stays {email}’s and its used hours count on. It gets a new disk, a new address and a new password; a machine
        that is off is made and switched off again.
      </p>
    </ConfirmDialog>
  )
}
