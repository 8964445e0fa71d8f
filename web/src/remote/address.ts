/** The page's address, read: `#/?username=<machine>&password=<ticket>`, or `watch=<machine>` of who watches its learner. */
export interface Asked {
  readonly watches: boolean
  readonly machine: string | null
  /** Good once and for a minute; null after a reload, when it has been dropped from the address. */
  readonly ticket: string | null
}

export function readFragment(fragment: string): Asked {
  const query = new URLSearchParams(fragment.replace(/^#\/?\??/, ''))
  const watched = query.get('watch') || null
  return {
    watches: watched !== null,
    machine: watched ?? (query.get('username') || null),
    ticket: query.get('password') || null,
  }
}

/** The same address without its secret: a reload still knows the machine. */
export const withoutTicket = ({ machine, watches }: Asked): string =>
  machine === null ? '#/' : `#/?${new URLSearchParams({ [watches ? 'watch' : 'username']: machine }).toString()}`

/** Reads the address, and takes the ticket out of the address bar and the history at once. */
export function takeAddress(): Asked {
  const asked = readFragment(location.hash)
  history.replaceState(null, '', location.pathname + withoutTicket(asked))
  return asked
}
