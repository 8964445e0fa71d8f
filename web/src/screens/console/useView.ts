import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { type Sort, sortText, type View, viewOf } from './view.ts'
import type { MachineStatus } from '@trainyard/contract/words/machine.ts'

/** The address follows the typed text after this pause, in ms: browsers allow few changes a second. */
const PAUSE_MS = 300

export interface ChangeableView extends View {
  /** The text in the search field; `find` follows it. */
  readonly typed: string
  type(text: string): void
  chooseState(state: MachineStatus | null): void
  sortBy(sort: Sort): void
}

/** The console's view, which lives in the address. */
export function useView(): ChangeableView {
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  const view = useMemo(() => viewOf(search), [search])
  const [typed, setTyped] = useState(view.find)
  const written = useRef(view.find)

  const write = (part: Record<string, string | undefined>) =>
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, ...part }) as never,
      replace: true,
      resetScroll: false,
    })
  // A link may bring the text to find, as the command palette's do.
  useEffect(() => {
    if (view.find !== written.current) setTyped(view.find)
    written.current = view.find
  }, [view.find])
  useEffect(() => {
    if (typed === written.current) return undefined
    const timer = setTimeout(() => {
      written.current = typed
      write({ find: typed || undefined })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  })

  const find = useDeferredValue(typed)
  return {
    ...view,
    find,
    typed,
    type: setTyped,
    chooseState: (state) => write({ state: state ?? undefined }),
    sortBy: (sort) => write({ sort: sortText(sort) }),
  }
}
