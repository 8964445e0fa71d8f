import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import { tooMany } from '../../../core/errors.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { createFairQueue } from './fair-queue.ts'

/** Maximum number of attempts per lane. A lane is one known browser of a user, or all other browsers together. */
export const ATTEMPTS_PER_LANE = 10
const WINDOW_SECONDS = 60
const WINDOW_EXPIRED = sql`portal_now() - make_interval(secs => ${WINDOW_SECONDS})`
const SECONDS_LEFT = sql<number>`ceil(extract(epoch from began_at - (${WINDOW_EXPIRED})))::int`

/** Returns the lane as a keyed hash, because users sometimes enter their password in the e-mail field. */
export const laneOf = (seal: Seal, kind: 'login lane' | 'forgotten lane' | 'app code lane', subject: string): Buffer =>
  Buffer.from(seal.token(kind, subject), 'base64url')

/** Queues lookups, which limits the database load of a burst of sign-ins. */
export const queueLookup = createFairQueue({ concurrency: 4, waitingMax: 1_000, waitingPerAddressMax: 500 })

/** @throws Problem tooMany */
export async function requireAttemptsLeft(db: Db, lane: Buffer): Promise<void> {
  const { rows } = await sql<{ wait: number }>`
    select ${SECONDS_LEFT} as wait from login_lane where lane = ${lane} and taken >= ${ATTEMPTS_PER_LANE}`.execute(db)
  if (rows[0] !== undefined && rows[0].wait > 0) throw tooMany(rows[0].wait)
}

/**
 * Counts an attempt before the comparison, so that concurrent requests cannot exceed the limit.
 * @throws Problem tooMany
 */
export async function reserveAttempt(db: Db, lane: Buffer): Promise<void> {
  const { rows } = await sql<{ granted: boolean; wait: number | null }>`
    with granted as (
      insert into login_lane as l (lane, began_at, taken) values (${lane}, portal_now(), 1)
      on conflict (lane) do update set
        taken = case when l.began_at <= ${WINDOW_EXPIRED} then 1 else l.taken + 1 end,
        began_at = case when l.began_at <= ${WINDOW_EXPIRED} then portal_now() else l.began_at end
      where l.began_at <= ${WINDOW_EXPIRED} or l.taken < ${ATTEMPTS_PER_LANE}
      returning 1)
    select exists (select from granted) as granted,
      (select ${SECONDS_LEFT} from login_lane where lane = ${lane}) as wait`.execute(db)
  const { granted, wait } = rows[0]!
  if (!granted) throw tooMany(wait ?? WINDOW_SECONDS)
}

/** Releases an attempt with a correct password, so that only wrong ones count. */
export async function releaseAttempt(db: Db, lane: Buffer): Promise<void> {
  await sql`update login_lane set taken = greatest(taken - 1, 0) where lane = ${lane}`.execute(db)
}

export async function deleteExpiredAttempts(db: Db): Promise<void> {
  await sql`delete from login_lane where began_at < ${WINDOW_EXPIRED}`.execute(db)
}
