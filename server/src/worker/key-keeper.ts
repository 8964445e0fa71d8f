import type { Db } from '../db/schema.ts'
import { pinFirstKeys } from '../domain/remote/first-keys.ts'
import type { Shells } from '../providers/shell.ts'
import type { Running } from './leased-loop.ts'

const LOOK_MS = 5_000

/** Looks for machines that run for the first time, and keeps the host keys that they show. */
export function startKeyKeeper(given: {
  readonly db: Db
  readonly shells: Shells
  readonly onFault: (fault: unknown) => void
}): Running {
  const stopping = new AbortController()
  let looking: Promise<void> | null = null
  const timer = setInterval(() => {
    looking ??= pinFirstKeys(given.db, given.shells, stopping.signal)
      .catch(given.onFault)
      .finally(() => (looking = null))
  }, LOOK_MS)
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await looking
    },
  }
}
