import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectLeadTimes, type ReadySelection } from './queries.ts'

/** Lead time in seconds that is used while there are no measurements. */
const DEFAULT_SECONDS = { create: { Linux: 300, Windows: 900 }, start: { Linux: 180, Windows: 420 } }
/**
 * Margin added to the 90th percentile: the percentile is multiplied by `factor`. Then `seconds`, and `each` per
 * machine, are added, because the provider processes machines one after the other.
 */
const MARGIN = { factor: 1.2, seconds: 60, each: 0.5 }

export async function leadOf(db: Db, of: ReadySelection): Promise<{ seconds: number; machines: number }> {
  const { rows } = await selectLeadTimes(db, of)
  const machines = rows.reduce((sum, { count }) => sum + count, 0)
  const slowest = Math.max(0, ...rows.map(({ kind, os, p90 }) => p90 ?? DEFAULT_SECONDS[kind][os]))
  return { seconds: Math.ceil(slowest * MARGIN.factor + MARGIN.seconds + machines * MARGIN.each), machines }
}
