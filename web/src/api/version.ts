import { useSyncExternalStore } from 'react'

/** The page's own script, whose address changes with every build; undefined where nothing is built, in development. */
const own = document.querySelector('script[type=module][src^="/assets/"]')?.getAttribute('src') ?? undefined

let newest = own
const listeners = new Set<() => void>()

/** Takes down which version of the web app the portal serves, by the header of a reply. */
export function noteVersion(served: string | null): void {
  if (own === undefined || served === null || served === newest) return
  newest = served
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the version that the portal serves, where it is another than this tab's; null: it is this one. */
export const useOtherVersion = (): string | null =>
  useSyncExternalStore(subscribe, () => (newest === undefined || newest === own ? null : newest))
