import { useState } from 'react'
import { type Answers, invalidate } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { notify } from '#src/ui/notices.ts'

/**
 * Sends a dialog's form, shows the server's sentence, closes the dialog, and invalidates the answers that the new thing
 * belongs in. The idempotency key lasts as long as the dialog, so that a second click or a repeat after a lost answer
 * creates nothing twice.
 */
export function useCreation<Form>(
  send: (form: Form, options: { idempotencyKey: string }) => Promise<{ message: string }>,
  renews: readonly Answers[],
  close: () => void,
  failed: (error: Error) => void = (error) => notify.alert(error.message, error),
) {
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: (form: Form) => send(form, { idempotencyKey }),
    onSuccess: (reply) => {
      notify.status(reply.message)
      close()
      return invalidate(...renews)
    },
    onError: failed,
  })
}
