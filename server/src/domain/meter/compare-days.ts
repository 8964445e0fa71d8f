import { portalNow } from '../../db/client.ts'
import type { Db } from '../../db/schema.ts'
import type { PowerRecord } from '../../providers/power-record.ts'
import { compareDay, daysToCompare } from './reconciliation.ts'

const DAY_MS = 24 * 3600_000
/** After midnight of UTC, so that what the day's last minute brought is in both records. */
const AFTER_MIDNIGHT_MS = 30 * 60_000

/** Compares our runs of the days that are over with the provider's own record. Answers the seconds until the next day is. */
export async function compareDays(db: Db, record: PowerRecord, signal: AbortSignal): Promise<number> {
  for (const day of await daysToCompare(db)) await compareDay(db, record, day, signal)
  const now = (await portalNow(db)).getTime()
  return ((Math.floor(now / DAY_MS) + 1) * DAY_MS + AFTER_MIDNIGHT_MS - now) / 1000
}
