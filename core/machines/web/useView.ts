import { useSearchState } from '@trainyard/platform/web/navigation/useSearchState.ts'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { type Sort, formatSort, type View, parseView } from './view.ts'
import type { MachineStatus } from '../contract/machine-words.ts'

/** Delay before typed text is written to the URL, in ms: browsers limit URL changes per second. */
const PAUSE_MS = 300

export interface ChangeableView extends View {
  readonly entered: string
  type(text: string): void
  chooseState(state: MachineStatus | null): void
  sortBy(sort: Sort): void
}

export function useView(): ChangeableView {
  const [search, write] = useSearchState<'find' | 'state' | 'sort'>({ replaces: true })
  const view = useMemo(() => parseView(search), [search])
  const [entered, setEntered] = useState(view.find)
  const written = useRef(view.find)

  // A link, such as one of the command palette, can change the search text.
  useEffect(() => {
    if (view.find !== written.current) setEntered(view.find)
    written.current = view.find
  }, [view.find])
  useEffect(() => {
    if (entered === written.current) return undefined
    const timer = setTimeout(() => {
      written.current = entered
      write({ find: entered || undefined })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  })

  const find = useDeferredValue(entered)
  return {
    ...view,
    find,
    entered,
    type: setEntered,
    chooseState: (state) => write({ state: state ?? undefined }),
    sortBy: (sort) => write({ sort: formatSort(sort) }),
  }
}
