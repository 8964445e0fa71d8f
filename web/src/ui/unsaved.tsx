import { useBlocker } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'

interface Unsaved {
  /** Closes, after a question where something would be lost. */
  leave(close: () => void): void
  /** The question, while it is asked. */
  readonly question: ReactNode
}

/** Asks before an unsent form is lost: on Close, on Back and on reload. */
export function useUnsaved(unsaved: boolean): Unsaved {
  const [closing, setClosing] = useState<(() => void) | null>(null)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved && placeOf(current) !== placeOf(next),
    enableBeforeUnload: () => unsaved,
    withResolver: true,
  })
  const blocked = blocker.status === 'blocked'
  const stay = () => {
    setClosing(null)
    if (blocked) blocker.reset()
  }
  const discard = () => {
    setClosing(null)
    closing?.()
    if (blocked) blocker.proceed()
  }
  return {
    leave: (close) => (unsaved ? setClosing(() => close) : close()),
    question: (closing !== null || blocked) && (
      <ConfirmDialog
        title="Discard what you filled in?"
        refuse="Keep it"
        confirm="Discard"
        destroys
        onConfirm={discard}
        close={stay}
      >
        It has not been sent.
      </ConfirmDialog>
    ),
  }
}

/** A form belongs to a screen and to what is chosen there. */
const placeOf = ({ pathname, search }: { pathname: string; search: unknown }) => `${pathname} ${JSON.stringify(search)}`
