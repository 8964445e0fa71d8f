import { useBlocker } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'

interface Unsaved {
  leave(close: () => void): void
  readonly question: ReactNode
}

/** Asks for confirmation before unsent input is lost: on Close, on Back and on reload. */
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

/** A form belongs to a screen and its selection. */
const placeOf = ({ pathname, search }: { pathname: string; search: unknown }) => `${pathname} ${JSON.stringify(search)}`
