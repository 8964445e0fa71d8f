import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { insertDayTotals } from './queries.ts'

/** Stores the totals of the last 30 completed days. The price of a run never changes, so a stored day is final. */
export async function storeDayTotals(db: Db): Promise<void> {
  await insertDayTotals(db)
}
