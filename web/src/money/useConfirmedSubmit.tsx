import { useRef, useState } from 'react'
import type { CachedCalls } from '#src/api/queries.ts'
import { ApiError } from '#src/api/error.ts'
import { useDialogSubmit } from '#src/forms/useDialogSubmit.ts'
import { notify } from '#src/ui/notices.ts'

/**
 * Confirms values that the server finds implausible. `warning` shows why, and submitting the same values again confirms
 * them.
 */
export function useConfirmation<Form extends object>() {
  const sent = useRef('')
  const [warned, setWarned] = useState<{ readonly values: string; readonly reason: string } | null>(null)
  return {
    /** Returns the values to send, confirmed if the user was warned about the same values. */
    confirm(form: Form): Form & { confirmed?: true } {
      sent.current = JSON.stringify(form)
      return warned?.values === sent.current ? { ...form, confirmed: true } : form
    },
    onFailed(error: Error) {
      if (error instanceof ApiError && error.code === 'unconfirmed')
        setWarned({ values: sent.current, reason: error.message })
      else notify.alert(error.message, error)
    },
    warning: warned !== null && (
      <p role="alert" className="panel">
        {warned.reason} Submit the same values again to confirm them.
      </p>
    ),
  }
}

/** Submits amounts and dates that a user entered in a dialog, and confirms implausible ones. */
export function useConfirmedSubmit<Form extends object>(
  send: (form: Form & { confirmed?: true }, options: { idempotencyKey: string }) => Promise<{ message: string }>,
  invalidates: readonly CachedCalls[],
  close: () => void,
) {
  const { confirm, onFailed, warning } = useConfirmation<Form>()
  const submitting = useDialogSubmit(send, invalidates, close, { onFailed })
  return { isPending: submitting.isPending, submit: (form: Form) => submitting.mutate(confirm(form)), warning }
}
