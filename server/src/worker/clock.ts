import { sql } from 'kysely'
import type { Db, Tx } from '../db/schema.ts'
import { rejudge } from './rejudge.ts'

/** Less than this is a clock being set right, or a machine being busy. */
const TOLERANCE_SECONDS = 10
/** Workers that notice the same jump tell it once. */
const ONCE_SECONDS = 60

/** An instant of the portal's clock, between two of a clock that cannot jump (milliseconds). */
interface Reading {
  readonly now: number
  readonly before: number
  readonly after: number
}

/**
 * Watches the portal's clock: a jump is told and kept for /health. What was put off while it stood ahead is judged
 * anew once it went back, also by a worker that was not there when it did. Asked every few seconds.
 */
export function clockWatch(db: Db, say: (sentence: string) => void): () => Promise<void> {
  let last: Reading | null = null
  return async () => {
    const before = performance.now()
    const first = await db.transaction().execute(read)
    const reading = { now: first.now.getTime(), before, after: performance.now() }
    // A look takes the time when it starts, and the mark once it has the row. Where the clock goes ahead in between,
    // another worker's mark lies ahead of that time. So the time of a second look decides.
    const back =
      secondsBack(first) > TOLERANCE_SECONDS
        ? secondsBack({ ...(await db.transaction().execute(read)), mark: first.mark })
        : 0
    const ahead = last === null ? 0 : (reading.now - last.now - (reading.after - last.before)) / 1000
    last = reading
    if (back > TOLERANCE_SECONDS) {
      await rejudge(db)
      if (await keep(db, -back))
        say(`The clock went back by ${Math.round(back)} s. What was put off until then is judged anew.`)
    } else if (ahead > TOLERANCE_SECONDS && !first.toldBefore) {
      await keep(db, ahead)
      say(`The clock went ahead by ${Math.round(ahead)} s, or this machine slept.`)
    }
  }
}

/** The clock and its mark as they were seen together. */
interface Seen {
  readonly now: Date
  /** The latest instant that a worker saw. */
  readonly mark: Date
  readonly toldBefore: boolean
}

const secondsBack = ({ now, mark }: Pick<Seen, 'now' | 'mark'>): number => (mark.getTime() - now.getTime()) / 1000

async function read(tx: Tx): Promise<Seen> {
  const { rows } = await sql<{ now: Date; mark: Date; told: boolean }>`
    select portal_now() as now, seen_at as mark,
      coalesce(jumped_at > portal_now() - make_interval(secs => ${ONCE_SECONDS}), false) as told
    from portal_clock for update`.execute(tx)
  const { now, mark, told } = rows[0]!
  await sql`update portal_clock set seen_at = portal_now() where seen_at < portal_now()`.execute(tx)
  return { now, mark, toldBefore: told }
}

/** false: another worker has kept it already. */
async function keep(db: Db, seconds: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update portal_clock set jumped_at = portal_now(), jumped_by = ${seconds}::float8,
      -- It may have gone back since it was seen ahead.
      seen_at = case when ${seconds}::float8 > 0 then greatest(seen_at, portal_now()) else portal_now() end
    where ${seconds}::float8 > 0 or seen_at > portal_now() + make_interval(secs => ${TOLERANCE_SECONDS})`.execute(db)
  return numAffectedRows === 1n
}
