import { useSyncExternalStore } from 'react'

export type Scheme = 'light' | 'dark'

const root = () => document.documentElement
const listeners = new Set<() => void>()

const shown = (): Scheme => (root().dataset['mantineColorScheme'] === 'dark' ? 'dark' : 'light')

/** Stored in a cookie, because a logout clears local storage. */
export function useScheme(): [Scheme, (scheme: Scheme) => void] {
  const scheme = useSyncExternalStore(subscribe, shown)
  return [scheme, choose]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function choose(scheme: Scheme): void {
  document.cookie = `scheme=${scheme}; path=/; max-age=31536000; samesite=lax`
  show(scheme)
}

function show(scheme: Scheme): void {
  root().dataset['mantineColorScheme'] = scheme
  for (const listener of listeners) listener()
}

export function followSystem(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => {
    if (!document.cookie.includes('scheme=')) show(event.matches ? 'dark' : 'light')
  })
}
