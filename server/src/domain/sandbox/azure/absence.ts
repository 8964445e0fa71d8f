/** Azure's replicas may differ for a moment. */
export const RECHECK_MS = 10_000
/** Never seen, or the deletion was not requested. */
const RECHECK_UNREQUESTED_MS = 60_000
/** The reply was lost, or the resource is slow to appear. */
export const LATE_CREATION_MS = 300_000

interface Missing {
  readonly absent_at: Date
  readonly create_sent_at: Date | null
}

/** From when a missing resource, whose deletion was not requested, counts as permanently deleted. */
export function vanishedAt({ absent_at, create_sent_at }: Missing): number {
  const visible = create_sent_at === null ? 0 : create_sent_at.getTime() + LATE_CREATION_MS
  return Math.max(absent_at.getTime() + RECHECK_UNREQUESTED_MS, visible)
}

/** If the resource was seen after its last creation was sent, a short time is enough. */
export function removedAt(missing: Missing & { readonly seen_at: Date | null }): number {
  const { absent_at, create_sent_at, seen_at } = missing
  const isCreated = create_sent_at === null || (seen_at !== null && seen_at >= create_sent_at)
  return isCreated ? absent_at.getTime() + RECHECK_MS : vanishedAt(missing)
}

export const secondsUntil = (instant: number, now: Date): number =>
  Math.max(0, Math.ceil((instant - now.getTime()) / 1000))
