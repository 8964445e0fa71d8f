import { api } from '#src/api/client.ts'
import { DeleteDialog } from '#src/forms/DeleteDialog.tsx'
import { useConfirmed } from './useConfirmed.tsx'

export function RemovePasskey({
  passkey: { _id, name },
  close,
}: {
  passkey: { _id: string; name: string }
  close: () => void
}) {
  const { confirmed, dialog } = useConfirmed()
  return (
    <>
      <DeleteDialog
        name={name}
        remove={() => confirmed(() => api.passkey.remove({ _id }))}
        renews={['secondFactor', 'session']}
        close={close}
      >
        <p>It signs you in no more. Delete it on the device that holds it, too.</p>
      </DeleteDialog>
      {dialog}
    </>
  )
}
