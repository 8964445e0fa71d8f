import { useState } from 'react'

export type ViewMode = 'cards' | 'table'

/** Maximum number of machines shown as cards by default. */
const CARDS_MAX = 12

/** The choice is stored separately for short and long lists, which suit different views. */
const cookieOf = (count: number) => (count > CARDS_MAX ? 'console-many' : 'console-few')

const remembered = (cookie: string): ViewMode | null =>
  (new RegExp(`(?:^|; )${cookie}=(cards|table)`).exec(document.cookie)?.[1] as ViewMode | undefined) ?? null

/**
 * Returns the view mode for a list of `count` machines, and its setter. Stored in a cookie, because a logout does not
 * delete cookies.
 */
export function useViewMode(count: number): [ViewMode, (form: ViewMode) => void] {
  const [, setChosen] = useState(0)
  const cookie = cookieOf(count)
  return [
    remembered(cookie) ?? (count > CARDS_MAX ? 'table' : 'cards'),
    (form) => {
      document.cookie = `${cookie}=${form}; path=/; max-age=31536000; samesite=lax`
      setChosen((times) => times + 1)
    },
  ]
}
