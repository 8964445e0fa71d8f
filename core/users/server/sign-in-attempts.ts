import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { tooMany } from '@trainyard/platform/server/core/errors.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { createFairQueue } from './fair-queue.ts'
import { selectLaneWait, reserveInLane, releaseInLane, deleteExpiredLanes, WINDOW_SECONDS } from './queries.ts'

/** Returns the lane as a keyed hash, because users sometimes enter their password in the e-mail field. */
export const laneOf = (seal: Seal, kind: 'login lane' | 'forgotten lane' | 'app code lane', subject: string): Buffer =>
  Buffer.from(seal.token(kind, subject), 'base64url')

/** Queues lookups, which limits the database load of a burst of sign-ins. */
export const queueLookup = createFairQueue({ concurrency: 4, waitingMax: 1_000, waitingPerAddressMax: 500 })

/** @throws Problem tooMany */
export async function requireAttemptsLeft(db: Db, lane: Buffer): Promise<void> {
  const { rows } = await selectLaneWait(db, lane)
  if (rows[0] !== undefined && rows[0].wait > 0) throw tooMany(rows[0].wait)
}

/**
 * Counts an attempt before the comparison, so that concurrent requests cannot exceed the limit.
 * @throws Problem tooMany
 */
export async function reserveAttempt(db: Db, lane: Buffer): Promise<void> {
  const { rows } = await reserveInLane(db, lane)
  const { granted, wait } = rows[0]!
  if (!granted) throw tooMany(wait ?? WINDOW_SECONDS)
}

/** Releases an attempt with a correct password, so that only wrong ones count. */
export async function releaseAttempt(db: Db, lane: Buffer): Promise<void> {
  await releaseInLane(db, lane)
}

export async function deleteExpiredAttempts(db: Db): Promise<void> {
  await deleteExpiredLanes(db)
}
