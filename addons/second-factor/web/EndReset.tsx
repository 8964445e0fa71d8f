import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'

interface EndResetProps {
  reset: { readonly email: string; readonly askedBy: string }
  /** True if the user requested the reset. The user can then withdraw it, and another superadmin confirms it. */
  own: boolean
  close: () => void
}

export function EndReset({ reset: { email, askedBy }, own, close }: EndResetProps) {
  const ending = useAction(
    () => (own ? api.secondFactor.withdrawReset({ email }) : api.secondFactor.confirmReset({ email })),
    { invalidates: ['secondFactor'], onSettled: close },
  )
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
        <p>You requested this reset. Another superadmin must confirm it.</p>
      ) : (
        <p>
          {askedBy} requested this reset. The user’s app, passkeys and recovery codes are removed, and their sessions
          end. The password alone then signs them in.
        </p>
      )}
    </ConfirmDialog>
  )
}
