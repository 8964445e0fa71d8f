import { useSyncExternalStore } from 'react'

/** One clock for the page: of forty rows that count, all are drawn in one frame, and the others are free. */
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

/** Returns the present, renewed every second while something is under way. */
export const useSeconds = (underWay: boolean): Date => useSyncExternalStore(underWay ? subscribe : never, () => now)
