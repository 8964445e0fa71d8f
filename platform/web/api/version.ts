import { useSyncExternalStore } from 'react'

/**
 * URL of the page's own script, which changes with every build; undefined in development, and while the build renders
 * a page.
 */
const ownScript =
  globalThis.document?.querySelector('script[type=module][src^="/assets/"]')?.getAttribute('src') ?? undefined

let newest = ownScript
const listeners = new Set<() => void>()

/** Records the web app version that the portal serves, from a reply's `x-web-version` header. */
export function noteVersion(served: string | null): void {
  if (ownScript === undefined || served === null || served === newest) return
  newest = served
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useOtherVersion = (): string | null =>
  useSyncExternalStore(subscribe, () => (newest === undefined || newest === ownScript ? null : newest))
