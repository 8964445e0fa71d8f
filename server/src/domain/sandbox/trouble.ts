import { sql } from 'kysely'
import type { Leased, LeasedRows } from '../../db/leased-rows.ts'
import type { Db, Tx } from '../../db/schema.ts'
import { CloudError } from '../../providers/cloud.ts'
import { pauseAfter } from '../machine/pace.ts'

export interface TroubleParts {
  readonly db: Db
  /** Told of what is no trouble of the provider's but a fault of ours. */
  readonly onFault: (fault: unknown) => void
}

/**
 * Writes down a failure: shown as the reason, tried again after a pause. What was wanted anew meanwhile starts anew.
 * `hold` takes the locks that come before the row's own; no pause of ours is longer than `patience`, in seconds.
 */
export async function recordTrouble<Row extends Leased>(
  { db, onFault }: TroubleParts,
  rows: LeasedRows<Row>,
  claimed: Row,
  fault: unknown,
  { hold, patience = Infinity }: { readonly hold?: (tx: Tx) => Promise<void>; readonly patience?: number } = {},
): Promise<void> {
  if (!(fault instanceof CloudError)) onFault(fault)
  const error =
    fault instanceof CloudError
      ? fault
      : new CloudError('unreachable', 'Something went wrong on our side; it is tried again.', 30)
  const write = async (tx: Tx, row: Row) => {
    const attempts = row.attempts + 1
    // A pause that was asked for once or twice is no failure worth showing.
    const routine = (error.trouble === 'throttled' || error.trouble === 'conflict') && attempts < 3
    const trouble = routine ? row.trouble : error.message
    const table = sql.table(rows.table)
    await sql`update ${table} set attempts = ${attempts}, trouble = ${trouble} where id = ${row.id}`.execute(tx)
    const pause = Math.min(patience, pauseAfter(error, attempts))
    await rows.release(tx, row, row.generation === claimed.generation ? pause : 0)
    // A pause that the provider asked for holds whatever is wanted meanwhile; one of our own does not.
    if (error.retryAfter !== null) await rows.withhold(tx, row, error.retryAfter)
  }
  await rows.withClaimed(db, claimed, write, hold)
}
