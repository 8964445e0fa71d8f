import { z } from 'zod'
import type { LxdClient } from './client.ts'
import { type Instance, hasStarted } from './instances.ts'

const event = z.object({
  timestamp: z.coerce.date(),
  metadata: z.object({ action: z.string(), source: z.string() }),
})

/** `shutdown`: clean, or from inside. `stopped`: by force. */
const STOPS: ReadonlySet<string> = new Set(['instance-shutdown', 'instance-stopped'])
const RECONNECT_MS = 5_000

export interface StopTimes {
  /** Listens to the daemon's events from now on. Call before each read: it connects again after a lost connection. */
  listen(): void
  /** Time of the machine's stop; null if it happened while nothing listened. LXD does not store it. */
  of(machine: Instance): Date | null
}

export function stopTimes(client: LxdClient): StopTimes {
  const stops = new Map<string, Date>()
  let isListening = false
  let triedAt = -Infinity
  function handle(text: string): void {
    const read = event.safeParse(JSON.parse(text))
    if (!read.success) return
    const { timestamp, metadata } = read.data
    const name = /^\/1\.0\/instances\/([^/?]+)(?:\?|$)/.exec(metadata.source)?.[1]
    if (name === undefined || !metadata.action.startsWith('instance-')) return
    if (STOPS.has(metadata.action)) stops.set(name, wholeSeconds(timestamp))
    // Another machine may get the name, or this one starts.
    else if (/-(created|deleted|renamed|started|restarted)$/.test(metadata.action)) stops.delete(name)
  }
  return {
    listen() {
      if (isListening || performance.now() - triedAt < RECONNECT_MS) return
      isListening = true
      triedAt = performance.now()
      void client.follow('events', { type: 'lifecycle' }, handle).then(() => void (isListening = false))
    },
    of(machine) {
      const at = stops.get(machine.name)
      return at === undefined || (hasStarted(machine) && at < wholeSeconds(machine.last_used_at)) ? null : at
    },
  }
}

const wholeSeconds = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000)
