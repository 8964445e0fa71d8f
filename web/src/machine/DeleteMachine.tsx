import { api } from '#src/api/client.ts'
import { DeleteDialog } from '#src/forms/DeleteDialog.tsx'
import type { MachineDialogProps } from './machine-dialog.ts'

/** Asks before one machine is deleted: it stays listed, and what it cost is owed. */
export default function DeleteMachine({ machine, close }: MachineDialogProps) {
  const { name, resourceGroup, email } = machine
  return (
    <DeleteDialog
      name={name}
      remove={() => api.machine.remove([{ name, resourceGroup }])}
      renews={['machine', 'training']}
      close={close}
    >
      <p>
        {name} of {email} is deleted with all that is on it. This can’t be undone.
      </p>
      <p>It stays listed as terminated, with its sessions; its hours up to now stay on the bill.</p>
    </DeleteDialog>
  )
}
