import { api } from '#src/api/client.ts'
import { invalidate } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { notify } from '#src/ui/notices.ts'

interface EndResetProps {
  reset: { readonly email: string; readonly askedBy: string }
  /** True where the person signed in asked for it: they may withdraw it, and another superadmin confirms. */
  own: boolean
  close: () => void
}

/** Confirms a reset that another superadmin asked for, or withdraws one's own. */
export function EndReset({ reset: { email, askedBy }, own, close }: EndResetProps) {
  const ending = useMutation({
    mutationFn: () => (own ? api.secondFactor.withdrawReset({ email }) : api.secondFactor.confirmReset({ email })),
    onSuccess: (reply) => {
      notify.status(reply.message)
      close()
      return invalidate('secondFactor')
    },
    onError: (error) => {
      notify.alert(error.message, error)
      close()
    },
  })
  return (
    <ConfirmDialog
      title={`Second factor of ${email}`}
      confirm={own ? 'Withdraw the reset' : 'Confirm the reset'}
      busy={ending.isPending && 'One moment...'}
      destroys={!own}
      onConfirm={() => ending.mutate()}
      close={close}
    >
      {own ? (
        <p>You asked for it: another superadmin must confirm it.</p>
      ) : (
        <p>
          {askedBy} asked for it. Their app, passkeys and recovery codes are removed, and their sessions end. The
          password alone signs them in again.
        </p>
      )}
    </ConfirmDialog>
  )
}
