import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { type Answers, invalidate } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { besideOf } from '#src/ui/beside.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { notify } from '#src/ui/notices.ts'
import { sentenceOf } from '#src/api/error.ts'

interface DeleteDialogProps {
  /** Stands in the title: 'port 22'. */
  name: string
  /** The consequences. */
  children: ReactNode
  remove: () => Promise<{ message: string }>
  /** The answers that the deletion changes. */
  renews: readonly Answers[]
  /** The error catalogue's sentence, for a failure in which the server said nothing. */
  failed?: string
  close: () => void
}

/** Asks before something is deleted, deletes it, and shows the server's sentence; rendered means open. */
export function DeleteDialog({ name, children, remove, renews, failed, close }: DeleteDialogProps) {
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: (reply) => {
      notify.status(reply.message)
      // Closed, the dialog gives the focus back to the button that opened it, which goes with what it deleted.
      flushSync(close)
      if (document.activeElement) besideOf(document.activeElement)?.focus()
      return invalidate(...renews)
    },
    onError: (error) => {
      notify.alert(failed === undefined ? error.message : sentenceOf(error, failed))
      close()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      confirm="Delete"
      busy={removal.isPending && 'Deleting...'}
      destroys
      onConfirm={() => removal.mutate()}
      close={close}
    >
      {children}
    </ConfirmDialog>
  )
}
