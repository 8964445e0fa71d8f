/** The parsed URL fragment: `#/?username=<machine>&password=<ticket>`, or `watch=<machine>` for a watcher. */
export interface RemoteAddress {
  readonly watches: boolean
  readonly machine: string | null
  /** Single-use ticket, valid for one minute. null after a reload, because the ticket was removed from the URL. */
  readonly ticket: string | null
}

export function readFragment(fragment: string): RemoteAddress {
  const query = new URLSearchParams(fragment.replace(/^#\/?\??/, ''))
  const watchedMachine = query.get('watch') || null
  return {
    watches: watchedMachine !== null,
    machine: watchedMachine ?? (query.get('username') || null),
    ticket: query.get('password') || null,
  }
}

export const withoutTicket = ({ machine, watches }: RemoteAddress): string =>
  machine === null ? '#/' : `#/?${new URLSearchParams({ [watches ? 'watch' : 'username']: machine }).toString()}`

/** Parses the fragment, and removes the ticket from the address bar and the history. */
export function takeAddress(): RemoteAddress {
  const address = readFragment(location.hash)
  history.replaceState(null, '', location.pathname + withoutTicket(address))
  return address
}
