import { useEffect, useState, useSyncExternalStore } from 'react'

/** A line to the portal that may be lost: a stream that is listened to, or `CALLS`. */
type Line = symbol

/** The line that every call goes over. */
export const CALLS: Line = Symbol('calls')

/** A line lost for less than this, in ms, is not told: most are restored by then. */
const QUIET_MS = 5_000

const lost = new Map<Line, number>()
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

export const connection = {
  /** @param since when it was last known to work, in ms since 1970 */
  lose(line: Line, since: number): void {
    if (lost.has(line)) return
    lost.set(line, since)
    tell()
  },
  /** The line works again, or nobody needs it any more. */
  restore(line: Line): void {
    if (lost.delete(line)) tell()
  },
  isLost: (line: Line): boolean => lost.has(line),
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Returns since when a line has been lost, in ms since 1970; null: none is. */
  lostSince: (): number | null => (lost.size === 0 ? null : Math.min(...lost.values())),
}

/** Returns since when a line has been lost, once it has been so for 5 s; null: the screen is true, or was 5 s ago. */
export function useLostSince(): number | null {
  const since = useSyncExternalStore(connection.subscribe, connection.lostSince)
  const [shown, setShown] = useState<number | null>(null)
  useEffect(() => {
    if (since === null) {
      setShown(null)
      return undefined
    }
    const timer = setTimeout(() => setShown(since), Math.max(0, since + QUIET_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [since])
  return since === null ? null : shown
}
