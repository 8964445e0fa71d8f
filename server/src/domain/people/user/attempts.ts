import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import { tooMany } from '../../../core/errors.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { takeTurns } from './turns.ts'

/** Wrong passwords that one lane may try within the window: a browser that its person is known by, or all others. */
export const ATTEMPTS_PER_LANE = 10
const WINDOW_SECONDS = 60
/** A window that began by then is over. */
const OVER = sql`portal_now() - make_interval(secs => ${WINDOW_SECONDS})`
const SECONDS_LEFT = sql<number>`ceil(extract(epoch from began_at - (${OVER})))::int`

/** Returns the key of a lane: of what somebody typed as their e-mail a keyed hash alone is kept, it may be a password. */
export const laneOf = (seal: Seal, kind: 'login lane' | 'forgotten lane' | 'second factor lane', of: string): Buffer =>
  Buffer.from(seal.token(kind, of), 'base64url')

/** Lets the database be asked about somebody when it is their turn: a crowd at once would take it from everybody else. */
export const lookUpInTurn = takeTurns({ atOnce: 4, waiting: 1_000, waitingPerAddress: 300 })

/** @throws Problem tooMany, where a lane has no attempt left */
export async function refuseWithoutAttempts(db: Db, lane: Buffer): Promise<void> {
  const { rows } = await sql<{ wait: number }>`
    select ${SECONDS_LEFT} as wait from login_lane where lane = ${lane} and taken >= ${ATTEMPTS_PER_LANE}`.execute(db)
  if (rows[0] !== undefined && rows[0].wait > 0) throw tooMany(rows[0].wait)
}

/**
 * Takes one of a lane's attempts before anything is compared, so that of many at once, in however many processes, no
 * more are heard than may be wrong.
 * @throws Problem tooMany, when there is none left
 */
export async function reserveAttempt(db: Db, lane: Buffer): Promise<void> {
  const { rows } = await sql<{ granted: boolean; wait: number | null }>`
    with granted as (
      insert into login_lane as l (lane, began_at, taken) values (${lane}, portal_now(), 1)
      on conflict (lane) do update set
        taken = case when l.began_at <= ${OVER} then 1 else l.taken + 1 end,
        began_at = case when l.began_at <= ${OVER} then portal_now() else l.began_at end
      where l.began_at <= ${OVER} or l.taken < ${ATTEMPTS_PER_LANE}
      returning 1)
    select exists (select from granted) as granted,
      (select ${SECONDS_LEFT} from login_lane where lane = ${lane}) as wait`.execute(db)
  const { granted, wait } = rows[0]!
  if (!granted) throw tooMany(wait ?? WINDOW_SECONDS)
}

/** Gives an attempt back: the password was right, and only wrong ones count. */
export async function giveBackAttempt(db: Db, lane: Buffer): Promise<void> {
  await sql`update login_lane set taken = greatest(taken - 1, 0) where lane = ${lane}`.execute(db)
}

/** Lanes whose window is over are of no more use. */
export async function forgetOldAttempts(db: Db): Promise<void> {
  await sql`delete from login_lane where began_at < ${OVER}`.execute(db)
}
