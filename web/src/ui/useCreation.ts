import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from './notices.ts'

/**
 * Sends a dialog's form: says what the server said, closes the dialog, renews what the new thing stands in. The key
 * lasts as long as the dialog, so that a second click or a repeat after a lost answer makes nothing twice.
 */
export function useCreation<Form>(
  send: (form: Form, options: { idempotencyKey: string }) => Promise<{ message: string }>,
  renews: readonly QueryKey[],
  close: () => void,
  failed: (error: Error) => void = (error) => notify.alert(error.message),
) {
  const cache = useQueryClient()
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: (form: Form) => send(form, { idempotencyKey }),
    onSuccess: (reply) => {
      notify.status(reply.message)
      close()
      return Promise.all(renews.map((queryKey) => cache.invalidateQueries({ queryKey })))
    },
    onError: failed,
  })
}
