import { useState } from 'react'

/** The two forms of the list: a card for each machine, or a row. */
export type Form = 'cards' | 'table'

/** Up to so many machines stand as cards where nobody chose. */
const CARDS_MOST = 12

/** The choice is remembered for few and for many apart: a table for 400 says nothing about a class of five. */
const cookieOf = (count: number) => (count > CARDS_MOST ? 'console-many' : 'console-few')

const remembered = (cookie: string): Form | null =>
  (new RegExp(`(?:^|; )${cookie}=(cards|table)`).exec(document.cookie)?.[1] as Form | undefined) ?? null

/**
 * Returns the form of a list of so many machines, and the function that chooses. Like the colours it lives in a cookie,
 * which a logout leaves alone.
 */
export function useForm(count: number): [Form, (form: Form) => void] {
  const [, setChosen] = useState(0)
  const cookie = cookieOf(count)
  return [
    remembered(cookie) ?? (count > CARDS_MOST ? 'table' : 'cards'),
    (form) => {
      document.cookie = `${cookie}=${form}; path=/; max-age=31536000; samesite=lax`
      setChosen((times) => times + 1)
    },
  ]
}
