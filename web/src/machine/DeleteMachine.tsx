import { api } from '#src/api/client.ts'
import { DeleteDialog } from '#src/forms/DeleteDialog.tsx'
import type { MachineDialogProps } from './machine-dialog.ts'

export default function DeleteMachine({ machine, close }: MachineDialogProps) {
  const { name, resourceGroup, email } = machine
  return (
    <DeleteDialog
      name={name}
      remove={() => api.machine.remove([{ name, resourceGroup }])}
      invalidates={['machine', 'training']}
      close={close}
    >
      <p>
        {name} of {email} and all its data will be deleted. This can’t be undone.
      </p>
      <p>The machine stays listed as terminated, with its session logs. The hours used so far stay on the bill.</p>
    </DeleteDialog>
  )
}
