import { useState } from 'react'
import { type CachedCalls, invalidate } from '#src/api/queries.ts'
import { useDedupedMutation } from '#src/api/useDedupedMutation.ts'
import { notify } from '#src/ui/notices.ts'

/**
 * Sends a dialog's form, shows the server's reply, closes the dialog and refetches `invalidates`. The idempotency key lasts
 * as long as the dialog, so that a second click or a retry after a lost reply creates nothing twice.
 */
export function useDialogSubmit<Form>(
  send: (form: Form, options: { idempotencyKey: string }) => Promise<{ message: string }>,
  invalidates: readonly CachedCalls[],
  close: () => void,
  failed: (error: Error) => void = (error) => notify.alert(error.message, error),
) {
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  return useDedupedMutation({
    mutationFn: (form: Form) => send(form, { idempotencyKey }),
    onSuccess: (reply) => {
      notify.status(reply.message)
      close()
      return invalidate(...invalidates)
    },
    onError: failed,
  })
}
