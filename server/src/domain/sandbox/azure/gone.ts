/** What is missing is looked for again after this long before it is taken for gone. */
const AGAIN_MS = 60_000
/** A creation whose answer was lost, or that is slow to show, may still come this long. */
const STRAY_MS = 300_000

interface Missing {
  /** Since when looks have found nothing. */
  readonly absent_at: Date
  /** When a creation was last sent. */
  readonly create_sent_at: Date | null
}

const sureAt = ({ absent_at, create_sent_at }: Missing): number =>
  Math.max(absent_at.getTime() + AGAIN_MS, create_sent_at === null ? 0 : create_sent_at.getTime() + STRAY_MS)

/** Whether what looks have missed may be taken for gone for good. */
export const isReallyGone = (missing: Missing, now: Date): boolean => now.getTime() >= sureAt(missing)

/** Seconds until then. */
export const pauseUntilSure = (missing: Missing, now: Date): number =>
  Math.ceil((sureAt(missing) - now.getTime()) / 1000)
