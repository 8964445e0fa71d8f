import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

/** Wrong passwords that one lane may try within the window: a browser that its person is known by, or all others. */
export const ATTEMPTS_PER_LANE = 10
const WINDOW_SECONDS = 60

/**
 * Takes one of a lane's attempts before anything is compared, so that of many at once, in however many processes, no
 * more are heard than may be wrong. Returns null, or the seconds to wait when there is none left.
 */
export async function reserveAttempt(db: Db, lane: Buffer): Promise<number | null> {
  const { rows } = await sql<{ granted: boolean; wait: number | null }>`
    with over as (select portal_now() - make_interval(secs => ${WINDOW_SECONDS}) as at),
    granted as (
      insert into login_lane as l (lane, began_at, taken) values (${lane}, portal_now(), 1)
      on conflict (lane) do update set
        taken = case when l.began_at <= (select at from over) then 1 else l.taken + 1 end,
        began_at = case when l.began_at <= (select at from over) then portal_now() else l.began_at end
      where l.began_at <= (select at from over) or l.taken < ${ATTEMPTS_PER_LANE}
      returning 1)
    select exists (select from granted) as granted,
      (select ceil(extract(epoch from began_at - (select at from over)))::int from login_lane where lane = ${lane}) as wait`.execute(
    db,
  )
  const { granted, wait } = rows[0]!
  return granted ? null : Math.max(1, wait ?? WINDOW_SECONDS)
}

/** Gives an attempt back: the password was right, and only wrong ones count. */
export async function giveBackAttempt(db: Db, lane: Buffer): Promise<void> {
  await sql`update login_lane set taken = greatest(taken - 1, 0) where lane = ${lane}`.execute(db)
}

/** Lanes whose window is over are of no more use. */
export async function forgetOldAttempts(db: Db): Promise<void> {
  await sql`delete from login_lane where began_at < portal_now() - make_interval(secs => ${WINDOW_SECONDS})`.execute(db)
}
