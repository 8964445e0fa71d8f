import { useState } from 'react'
import type { CachedCalls } from '../api/queries.ts'
import { useAction } from '../api/useAction.ts'
import { newId } from '../api/new-id.ts'

/**
 * Submits the form of a dialog. The idempotency key does not change while the dialog is open, so that a retry after a
 * lost reply creates nothing twice.
 */
export function useDialogSubmit<Form>(
  send: (form: Form, options: { idempotencyKey: string }) => Promise<{ message: string }>,
  invalidates: readonly CachedCalls[],
  close: () => void,
  options: { readonly onFailed?: (error: Error) => void; readonly done?: string } = {},
) {
  const [idempotencyKey] = useState(newId)
  return useAction((form: Form) => send(form, { idempotencyKey }), { invalidates, onDone: close, ...options })
}
