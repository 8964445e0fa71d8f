import { sql } from 'kysely'
import type { Db, Tx } from '../db/schema.ts'
import { rescheduleFutureTimes } from './reschedule.ts'

/** Jumps up to this number of seconds are ignored, because time synchronisation or a busy host causes them. */
const TOLERANCE_SECONDS = 10
/** Period in which several workers report the same jump only once, in seconds. */
const ONCE_SECONDS = 60

/** A time of the portal's clock in milliseconds, between two readings of the monotonic clock. */
interface Reading {
  readonly now: number
  readonly before: number
  readonly after: number
}

/** After a jump back, reschedules what was delayed, even if the jump happened before this worker started. */
export function clockWatch(db: Db, logMessage: (sentence: string) => void): () => Promise<void> {
  let last: Reading | null = null
  return async () => {
    const before = performance.now()
    const first = await db.transaction().execute(read)
    const reading = { now: first.now.getTime(), before, after: performance.now() }
    // The clock may advance while this transaction waits for the row, so a second query decides.
    const back =
      secondsBack(first) > TOLERANCE_SECONDS
        ? secondsBack({ ...(await db.transaction().execute(read)), mark: first.mark })
        : 0
    const ahead = last === null ? 0 : (reading.now - last.now - (reading.after - last.before)) / 1000
    last = reading
    if (back > TOLERANCE_SECONDS) {
      await rescheduleFutureTimes(db)
      if (await recordJump(db, -back))
        logMessage(`The clock went back by ${Math.round(back)} s. Work delayed until a later time is scheduled again.`)
    } else if (ahead > TOLERANCE_SECONDS && !first.alreadyReported) {
      await recordJump(db, ahead)
      logMessage(`The clock went ahead by ${Math.round(ahead)} s, or this host was suspended.`)
    }
  }
}

interface ClockReading {
  readonly now: Date
  /** The latest time that any worker has read. */
  readonly mark: Date
  readonly alreadyReported: boolean
}

const secondsBack = ({ now, mark }: Pick<ClockReading, 'now' | 'mark'>): number =>
  (mark.getTime() - now.getTime()) / 1000

async function read(tx: Tx): Promise<ClockReading> {
  const { rows } = await sql<{ now: Date; mark: Date; told: boolean }>`
    select portal_now() as now, seen_at as mark,
      coalesce(jumped_at > portal_now() - make_interval(secs => ${ONCE_SECONDS}), false) as told
    from portal_clock for update`.execute(tx)
  const { now, mark, told } = rows[0]!
  await sql`update portal_clock set seen_at = portal_now() where seen_at < portal_now()`.execute(tx)
  return { now, mark, alreadyReported: told }
}

async function recordJump(db: Db, seconds: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update portal_clock set jumped_at = portal_now(), jumped_by = ${seconds}::float8,
      -- The clock may have gone back since the time was read.
      seen_at = case when ${seconds}::float8 > 0 then greatest(seen_at, portal_now()) else portal_now() end
    where ${seconds}::float8 > 0 or seen_at > portal_now() + make_interval(secs => ${TOLERANCE_SECONDS})`.execute(db)
  return numAffectedRows === 1n
}
