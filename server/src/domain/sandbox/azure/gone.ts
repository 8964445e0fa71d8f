/** Azure's replicas may differ for a moment: what is missing is looked for again after this long. */
export const AGAIN_MS = 10_000
/** A user who was not seen, or not asked to go, is looked for again after this long. */
const AGAIN_UNASKED_MS = 60_000
/** A creation whose answer was lost, or that is slow to show, may still come this long. */
export const LATE_CREATION_MS = 300_000

interface Missing {
  /** Since when looks have found nothing. */
  readonly absent_at: Date
  /** When a creation was last sent. */
  readonly create_sent_at: Date | null
}

/** The instant from which what looks have missed, and nobody here asked to go, may be taken for gone for good. */
export function vanishedAt({ absent_at, create_sent_at }: Missing): number {
  const shown = create_sent_at === null ? 0 : create_sent_at.getTime() + LATE_CREATION_MS
  return Math.max(absent_at.getTime() + AGAIN_UNASKED_MS, shown)
}

/**
 * The same of what was asked to go. Once it was seen after its creation was last sent, no creation is on its way any
 * more: then it is gone soon after it is missed.
 */
export function removedAt(missing: Missing & { readonly seen_at: Date | null }): number {
  const { absent_at, create_sent_at, seen_at } = missing
  const arrived = create_sent_at === null || (seen_at !== null && seen_at >= create_sent_at)
  return arrived ? absent_at.getTime() + AGAIN_MS : vanishedAt(missing)
}

/** Seconds from now until then; 0 when it is past. */
export const secondsUntil = (instant: number, now: Date): number =>
  Math.max(0, Math.ceil((instant - now.getTime()) / 1000))
