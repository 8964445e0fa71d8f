import { useSyncExternalStore } from 'react'

/**
 * Current time. A single clock serves the page, so that all rows with a counter render in the same frame, and no other
 * rows.
 */
let now = new Date()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  now = new Date()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = new Date()
    timer = setInterval(tick, 1_000)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

const never = () => () => {}

/** Returns the current time, updated every second while `underWay`. */
export const useSeconds = (underWay: boolean): Date => useSyncExternalStore(underWay ? subscribe : never, () => now)
