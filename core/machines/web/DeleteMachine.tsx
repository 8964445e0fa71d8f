import { api } from '@trainyard/platform/web/api/client.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { type MachineDialogProps, machinesText, placesOf } from './machine-dialog.ts'

export default function DeleteMachine({ machines, close }: MachineDialogProps) {
  const [first, second] = machines
  const subject = machinesText(machines)
  return (
    <DeleteDialog
      name={subject}
      remove={() => api.machine.remove(placesOf(machines))}
      invalidates={['machine', 'training']}
      close={close}
    >
      {second === undefined ? (
        <>
          <p>
            {subject} of {first!.email} and all its data will be deleted. This can’t be undone.
          </p>
          <p>The machine stays listed as terminated, with its session logs. The hours used so far stay on the bill.</p>
        </>
      ) : (
        <>
          <p>{subject} and all their data will be deleted. This can’t be undone.</p>
          <p>
            The machines stay listed as terminated, with their session logs. The hours used so far stay on the bill.
          </p>
        </>
      )}
    </DeleteDialog>
  )
}
