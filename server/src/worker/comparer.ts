import { portalNow } from '../db/client.ts'
import type { Db } from '../db/schema.ts'
import { compareDay, daysToCompare } from '../domain/meter/reconciliation.ts'
import type { PowerRecord } from '../providers/power-record.ts'
import type { Running } from './leased-loop.ts'
import { startTurns } from './turn.ts'

export interface ComparerOptions {
  readonly db: Db
  readonly record: PowerRecord
  readonly onFault: (fault: unknown) => void
  readonly tickMs: number
}

const DAY_MS = 24 * 3600_000
/** After midnight of UTC, so that what the day's last minute brought is in both records. */
const AFTER_MIDNIGHT_MS = 30 * 60_000

/** Once a day compares our runs with the provider's own record. */
export function startComparer({ db, record, onFault, tickMs }: ComparerOptions): Running {
  return startTurns({
    db,
    name: 'reconciliation',
    onFault,
    tickMs,
    leaseSeconds: 120,
    afterFailureSeconds: 600,
    async work(signal) {
      for (const day of await daysToCompare(db)) await compareDay(db, record, day, signal)
      const now = (await portalNow(db)).getTime()
      return ((Math.floor(now / DAY_MS) + 1) * DAY_MS + AFTER_MIDNIGHT_MS - now) / 1000
    },
  })
}
