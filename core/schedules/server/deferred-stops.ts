import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { deferStopsOf, endDeferralsOf } from './queries.ts'

interface Extension {
  readonly training: TrainingId
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
  const { rows } = await deferStopsOf(tx, from, until, minutes, training)
  return rows.map((row) => row.until).toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null
}

/** Ends the deferral of stops. A stop whose planned time has passed is due now. */
export async function endDeferrals(tx: Tx, training: TrainingId): Promise<void> {
  await endDeferralsOf(tx, training)
}
