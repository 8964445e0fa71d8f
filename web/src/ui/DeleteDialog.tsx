import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { notify } from './notices.ts'
import { sentenceOf } from './refusal.ts'

interface DeleteDialogProps {
  /** What goes: 'port 22'. */
  name: string
  /** What its going brings with it. */
  children: ReactNode
  remove: () => Promise<{ message: string }>
  /** The lists that it leaves, and those that are others without it. */
  renews: readonly QueryKey[]
  /** The error catalogue's sentence, for a failure in which the server said nothing. */
  failed?: string
  close: () => void
}

/** Asks before something goes, deletes it, and says what came of that; rendered means open. */
export function DeleteDialog({ name, children, remove, renews, failed, close }: DeleteDialogProps) {
  const cache = useQueryClient()
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: (reply) => {
      notify.status(reply.message)
      close()
      return Promise.all(renews.map((queryKey) => cache.invalidateQueries({ queryKey })))
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
