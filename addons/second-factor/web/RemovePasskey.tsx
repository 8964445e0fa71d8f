import { api } from '@trainyard/platform/web/api/client.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'

export function RemovePasskey({
  passkey: { _id, name },
  close,
}: {
  passkey: { _id: string; name: string }
  close: () => void
}) {
  return (
    <DeleteDialog
      name={name}
      remove={() => api.passkey.remove({ _id })}
      invalidates={['secondFactor', 'session']}
      close={close}
    >
      <p>You can no longer sign in with it. Delete it on the device that stores it, too.</p>
    </DeleteDialog>
  )
}
