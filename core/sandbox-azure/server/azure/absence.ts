/** Time until a missing resource is read again, because Azure's replicas may differ for a moment. */
export const RECHECK_MS = 10_000
/** Longer time for a resource that was never seen, or whose deletion was not requested. */
const RECHECK_UNREQUESTED_MS = 60_000
/** Time in which a creation may still complete, because the reply was lost or the resource is slow to appear. */
export const LATE_CREATION_MS = 300_000

interface Missing {
  readonly absent_at: Date
  readonly create_sent_at: Date | null
}

/** Returns when a missing resource counts as permanently deleted, if its deletion was not requested. */
export function vanishedAt({ absent_at, create_sent_at }: Missing): number {
  const visible = create_sent_at === null ? 0 : create_sent_at.getTime() + LATE_CREATION_MS
  return Math.max(absent_at.getTime() + RECHECK_UNREQUESTED_MS, visible)
}

/**
 * Returns when a missing resource counts as deleted, if this was requested. The time is short if the resource was seen
 * after its last creation was sent.
 */
export function removedAt(missing: Missing & { readonly seen_at: Date | null }): number {
  const { absent_at, create_sent_at, seen_at } = missing
  const isCreated = create_sent_at === null || (seen_at !== null && seen_at >= create_sent_at)
  return isCreated ? absent_at.getTime() + RECHECK_MS : vanishedAt(missing)
}

export const secondsUntil = (instant: number, now: Date): number =>
  Math.max(0, Math.ceil((instant - now.getTime()) / 1000))
