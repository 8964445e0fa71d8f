import { type RawBuilder, sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import { SCHEDULE_GRACE_MINUTES } from '@trainyard/contract/words/limits.ts'
import type { Tx } from '../../../db/schema.ts'

/** SQL: instant at which a schedule is due, for queries with a single `schedule`. */
export const DUE_AT: RawBuilder<Date> = sql<Date>`coalesce(deferred_until, fires_at)`

const isPendingStop = (training: TrainingId) =>
  sql`training_id = ${training} and action = 'Stop' and completed_at is null and removed_at is null`

interface Extension {
  readonly training: TrainingId
  /** Start of the period in which only the extension gives learners access: the end of today's hours, or now. */
  readonly from: Date
  readonly until: Date
  readonly minutes: number
}

/**
 * Defers the stops that are due during an extension to the end of the extension. If a session in progress ends within
 * the hours of the window, its stop is deferred by the minutes of the extension, because the window may belong to
 * longer sessions. Returns the last instant to which a stop was deferred.
 */
export async function deferStops(tx: Tx, { training, from, until, minutes }: Extension): Promise<Date | null> {
  const { rows } = await sql<{ until: Date }>`
    update schedule s set deferred_until = case
      when ${DUE_AT} >= ${from} or ${from} <= portal_now() then ${until}::timestamptz
      else ${DUE_AT} + make_interval(mins => ${minutes}) end
    where ${isPendingStop(training)} and ${DUE_AT} < ${until}
      and ${DUE_AT} >= portal_now() - make_interval(mins => ${sql.lit(SCHEDULE_GRACE_MINUTES)})
      and (${DUE_AT} >= ${from} or ${from} <= portal_now() or exists (select from class_session c
        where c.training_id = s.training_id and c.stops_at = s.fires_at and c.starts_at <= portal_now()
          and c.removed_at is null and c.skipped_at is null))
    returning deferred_until as until`.execute(tx)
  return rows.map((row) => row.until).toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null
}

/** Ends the deferral of stops. A stop whose planned time has passed is due now. */
export async function endDeferrals(tx: Tx, training: TrainingId): Promise<void> {
  await sql`
    update schedule set deferred_until = case when fires_at < portal_now() then portal_now() end
    where ${isPendingStop(training)} and deferred_until > portal_now()`.execute(tx)
}
