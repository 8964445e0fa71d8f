import { setTimeout as pause } from 'node:timers/promises'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { CreatedResource } from './calls.ts'

const MAX_WAIT_MS = 25_000

/**
 * Waits until a resource is provisioned, because Azure refuses references to it before. Rejects after 25 s, and the
 * caller retries.
 */
export async function waitUntilProvisioned<T extends CreatedResource>(
  label: string,
  first: T | null,
  read: () => Promise<T | null>,
  signal: AbortSignal,
): Promise<T> {
  const until = performance.now() + MAX_WAIT_MS
  let current = first ?? (await read())
  for (let wait = 200; ; wait = wait === 200 ? 2000 : 4000) {
    const state = current?.provisioningState?.toLowerCase()
    if (current && state === 'succeeded') return current
    if (state === 'failed' || state === 'canceled')
      throw new CloudError('conflict', `Azure could not create ${label}. The portal will create it again.`)
    if (performance.now() > until) throw new CloudError('conflict', `Azure has not finished ${label} yet.`, 5)
    await pause(wait, undefined, { signal }).catch(() => {
      throw new CloudError('unreachable', `The wait for ${label} at Azure was aborted.`)
    })
    current = await read()
  }
}
