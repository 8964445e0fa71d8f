import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '#src/ui/notices.ts'

/**
 * Sends a form of the panel: says what the server said, renews the list, closes the dialog. The key lasts as long as
 * the dialog, so that a second click or a repeat makes nothing twice.
 */
export function useCreation<Form>(
  send: (form: Form, options: { idempotencyKey: string }) => Promise<{ message: string }>,
  renews: QueryKey,
  close: () => void,
) {
  const cache = useQueryClient()
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: (form: Form) => send(form, { idempotencyKey }),
    onSuccess: async (reply) => {
      notify.status(reply.message)
      close()
      await cache.invalidateQueries({ queryKey: renews })
    },
    onError: (error) => notify.alert(error.message),
  })
}
