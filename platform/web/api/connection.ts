import { useEffect, useState, useSyncExternalStore } from 'react'

/** A connection to the portal that can fail: an open event stream, or `CALLS`. */
type Channel = symbol

export const CALLS: Channel = Symbol('calls')

/** Duration in ms up to which a loss is not shown, because most connections are restored within this time. */
const GRACE_MS = 5_000

const lostChannels = new Map<Channel, number>()
const listeners = new Set<() => void>()

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

export const connection = {
  /** @param since time at which the channel last worked, in ms since 1970 */
  lose(channel: Channel, since: number): void {
    if (lostChannels.has(channel)) return
    lostChannels.set(channel, since)
    notifyListeners()
  },
  restore(channel: Channel): void {
    if (lostChannels.delete(channel)) notifyListeners()
  },
  isLost: (channel: Channel): boolean => lostChannels.has(channel),
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Returns the start of the oldest loss, in ms since 1970; null if no channel is lost. */
  lostSince: (): number | null => (lostChannels.size === 0 ? null : Math.min(...lostChannels.values())),
}

/** Returns the start of a loss, in ms since 1970, once it has lasted 5 s; null while the shown data is current. */
export function useLostSince(): number | null {
  const since = useSyncExternalStore(connection.subscribe, connection.lostSince)
  const [shown, setShown] = useState<number | null>(null)
  useEffect(() => {
    if (since === null) {
      setShown(null)
      return undefined
    }
    const timer = setTimeout(() => setShown(since), Math.max(0, since + GRACE_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [since])
  return since === null ? null : shown
}
