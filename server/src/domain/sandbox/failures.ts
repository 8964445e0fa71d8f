import { sql } from 'kysely'
import type { ClaimableRow, LeasedRows } from '../../reconcile/claim.ts'
import type { Db, Tx } from '../../db/schema.ts'
import { afterError, errorOf, pauseAfter } from '../../reconcile/failures.ts'

export interface ErrorParts {
  readonly db: Db
  /** Told of what is no error of the provider's but a bug of ours. */
  readonly onFault: (fault: unknown) => void
}

/**
 * Writes down a failure: shown as the reason, tried again after a pause. What was wanted anew meanwhile starts anew.
 * `hold` takes the locks that come before the row's own; no pause of ours is longer than `patience`, in seconds.
 */
export async function recordError<Row extends ClaimableRow>(
  { db, onFault }: ErrorParts,
  rows: LeasedRows<Row>,
  claimed: Row,
  fault: unknown,
  { hold, patience = Infinity }: { readonly hold?: (tx: Tx) => Promise<void>; readonly patience?: number } = {},
): Promise<void> {
  const error = errorOf(fault, onFault)
  const write = async (tx: Tx, row: Row) => {
    const { attempts, last_error } = afterError(error, row)
    const table = sql.table(rows.table)
    await sql`update ${table} set attempts = ${attempts}, last_error = ${last_error} where id = ${row.id}`.execute(tx)
    const pause = Math.min(patience, pauseAfter(error, attempts))
    await rows.release(tx, row, row.generation === claimed.generation ? pause : 0)
    // A pause that the provider asked for holds whatever is wanted meanwhile; one of our own does not.
    if (error.retryAfter !== null) await rows.withhold(tx, row, error.retryAfter)
  }
  await rows.withClaimed(db, claimed, write, hold)
}
