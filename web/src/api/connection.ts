import { useEffect, useState, useSyncExternalStore } from 'react'

/** A line to the portal that may break: a stream that is listened to, or `CALLS`. */
type Line = symbol

/** What every call goes over. */
export const CALLS: Line = Symbol('calls')

/** A line broken for less than this is no news: most are mended by then. */
const QUIET_MS = 5_000

const broken = new Map<Line, number>()
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

export const connection = {
  /** @param since when it was last known to work, in milliseconds */
  broke(line: Line, since: number): void {
    if (broken.has(line)) return
    broken.set(line, since)
    tell()
  },
  /** It works again, or nobody needs it any more. */
  mended(line: Line): void {
    if (broken.delete(line)) tell()
  },
  isBroken: (line: Line): boolean => broken.has(line),
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Since when something is broken; null: all works. */
  lostSince: (): number | null => (broken.size === 0 ? null : Math.min(...broken.values())),
}

/** Since when a line has been lost, once it has been so for 5 s; null: what is shown is true, or was 5 s ago. */
export function useLostSince(): number | null {
  const since = useSyncExternalStore(connection.subscribe, connection.lostSince)
  const [told, setTold] = useState<number | null>(null)
  useEffect(() => {
    if (since === null) {
      setTold(null)
      return undefined
    }
    const timer = setTimeout(() => setTold(since), Math.max(0, since + QUIET_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [since])
  return since === null ? null : told
}
