import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { CachedCalls } from '../api/queries.ts'
import { useAction } from '../api/useAction.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

interface DeleteDialogProps {
  /** Object of the title, such as 'port 22'. */
  name: string
  children: ReactNode
  remove: () => Promise<{ message: string }>
  invalidates: readonly CachedCalls[]
  failed?: string
  /** The specification's text of a success, for a reply without a message. */
  done?: string
  close: () => void
}

export function DeleteDialog({ name, children, remove, invalidates, failed, done, close }: DeleteDialogProps) {
  const removal = useAction(remove, {
    invalidates,
    fallback: failed,
    done,
    onDone: () => {
      // The dialog closes before the refetch: closing returns the focus to the pressed button, and the refetch removes
      // it.
      flushSync(close)
      if (document.activeElement) focusAfterRemoval(document.activeElement)?.focus()
    },
    onSettled: close,
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

/**
 * Returns the element that gets the focus when the row of the pressed button is removed: the same button in a
 * neighbouring row.
 */
function focusAfterRemoval(pressed: Element): HTMLElement | null {
  const row = pressed.closest('tr, li')
  const place = row === null ? -1 : buttonsOf(row).indexOf(pressed as HTMLElement)
  const neighbours = [row?.nextElementSibling, row?.previousElementSibling]
  return (
    neighbours.map((each) => each && buttonsOf(each)[place]).find((button) => button != null) ??
    document.querySelector('h1')
  )
}

const buttonsOf = (container: Element) => [...container.querySelectorAll<HTMLElement>('button')]
