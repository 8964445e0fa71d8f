import { useEffect, useRef } from 'react'
import { api } from '../api/client.ts'
import { CALLS, connection } from '../api/connection.ts'
import { queries } from '../api/cache.ts'

const PROBE_MS = 5_000

/** Probes the portal while calls fail, and refetches everything on screen once it answers. */
export function useReconnecting(lostSince: number | null): void {
  useEffect(() => {
    const probe = () => void api.health.check().catch(() => {})
    const timer = setInterval(() => {
      if (connection.isLost(CALLS)) probe()
    }, PROBE_MS)
    // The browser's offline state is not reliable: a portal on the same machine answers without a network.
    addEventListener('offline', probe)
    addEventListener('online', probe)
    return () => {
      clearInterval(timer)
      removeEventListener('offline', probe)
      removeEventListener('online', probe)
    }
  }, [])
  const wasLost = useRef(false)
  useEffect(() => {
    if (wasLost.current && lostSince === null) void queries.invalidateQueries()
    wasLost.current = lostSince !== null
  }, [lostSince])
}
