export type ViewMode = 'cards' | 'table'

/** Maximum number of machines shown as cards by default. */
const CARDS_MAX = 12

/** The choice is stored separately for short and long lists, which suit different views. */
const cookieOf = (count: number) => (count > CARDS_MAX ? 'console-many' : 'console-few')

const remembered = (cookie: string): ViewMode | null =>
  (new RegExp(`(?:^|; )${cookie}=(cards|table)`).exec(document.cookie)?.[1] as ViewMode | undefined) ?? null

const isPhone = (): boolean => matchMedia('(max-width: 40em)').matches

/** Returns the view mode for a list of `count` machines. */
export const viewModeFor = (count: number): ViewMode =>
  remembered(cookieOf(count)) ?? (count > CARDS_MAX && !isPhone() ? 'table' : 'cards')

/** Stores the view mode for a list of `count` machines in a cookie, which a logout keeps. */
export function storeViewMode(count: number, mode: ViewMode): void {
  document.cookie = `${cookieOf(count)}=${mode}; path=/; max-age=31536000; samesite=lax`
}
