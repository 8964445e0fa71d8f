import { setTimeout as pause } from 'node:timers/promises'
import { CloudError } from '../errors.ts'
import type { Made } from './ask.ts'

const LONGEST_WAIT = 25_000

/**
 * Waits until something just made can be referred to: Azure refuses a reference to what it has not finished. It
 * looks again by GET with growing pauses; what takes too long is left to the caller's next try.
 */
export async function settled<T extends Made>(
  what: string,
  first: T | null,
  look: () => Promise<T | null>,
  signal: AbortSignal,
): Promise<T> {
  const until = performance.now() + LONGEST_WAIT
  let seen = first ?? (await look())
  // A resource that is not there at once takes about two seconds.
  for (let wait = 200; ; wait = wait === 200 ? 2000 : 4000) {
    const state = seen?.provisioningState?.toLowerCase()
    if (seen && state === 'succeeded') return seen
    if (state === 'failed') throw new CloudError('conflict', `Azure could not make ${what}; it will be made again.`)
    if (performance.now() > until) throw new CloudError('conflict', `Azure has not finished ${what} yet.`, 5)
    await pause(wait, undefined, { signal }).catch(() => {
      throw new CloudError('unreachable', `The wait for ${what} at Azure was broken off.`)
    })
    seen = await look()
  }
}
