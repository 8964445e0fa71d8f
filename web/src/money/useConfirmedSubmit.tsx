import { useRef, useState } from 'react'
import type { CachedCalls } from '#src/api/queries.ts'
import { ApiError } from '#src/api/error.ts'
import { useDialogSubmit } from '#src/forms/useDialogSubmit.ts'
import { notify } from '#src/ui/notices.ts'

/**
 * Submits amounts and dates that a user typed. If the server finds a value implausible, `warning` shows why, and
 * submitting the same values again confirms them.
 */
export function useConfirmedSubmit<Form extends object>(
  send: (form: Form & { confirmed?: true }, options: { idempotencyKey: string }) => Promise<{ message: string }>,
  invalidates: readonly CachedCalls[],
  close: () => void,
) {
  const sent = useRef('')
  const [warned, setWarned] = useState<{ readonly values: string; readonly reason: string } | null>(null)
  const submitting = useDialogSubmit(send, invalidates, close, (error) => {
    if (error instanceof ApiError && error.code === 'unconfirmed')
      setWarned({ values: sent.current, reason: error.message })
    else notify.alert(error.message, error)
  })
  const isConfirmation = (form: Form) => warned !== null && warned.values === JSON.stringify(form)
  return {
    isPending: submitting.isPending,
    submit(form: Form) {
      sent.current = JSON.stringify(form)
      submitting.mutate(isConfirmation(form) ? { ...form, confirmed: true } : form)
    },
    warning: warned !== null && (
      <p role="alert" className="panel">
        {warned.reason} Submit the same values again to confirm them.
      </p>
    ),
  }
}
