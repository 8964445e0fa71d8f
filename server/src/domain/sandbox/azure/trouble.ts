import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/schema.ts'
import type { Leased, LeasedRows } from '../../../db/leased-rows.ts'
import { CloudError } from '../../../providers/cloud.ts'
import { pauseAfter } from '../../machine/pace.ts'

type Troubled = Leased & { readonly trouble: string | null }

/**
 * Writes down a failure: shown as the reason, tried again after a pause. What was wanted anew meanwhile starts anew.
 * `hold` takes the locks that come before the row's own.
 */
export async function recordTrouble<Row extends Troubled>(
  db: Db,
  rows: LeasedRows<Row>,
  table: 'azure_user' | 'sandbox',
  claimed: Row,
  fault: unknown,
  onFault: (fault: unknown) => void,
  hold?: (tx: Tx) => Promise<void>,
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
    await sql`update ${sql.table(table)} set attempts = ${attempts}, trouble = ${trouble} where id = ${row.id}`.execute(
      tx,
    )
    await rows.release(tx, row, row.generation === claimed.generation ? pauseAfter(error, attempts) : 0)
    // A pause that the provider asked for holds whatever is wanted meanwhile; one of our own does not.
    if (error.retryAfter !== null) await rows.withhold(tx, row, error.retryAfter)
  }
  await rows.withClaimed(db, claimed, write, hold)
}
