import { type RawBuilder, sql } from 'kysely'
import { notifyWorkers } from './notify.ts'
import type { Tx } from '../db/schema.ts'
import type { ClaimableTable } from './claim.ts'

type StatefulTable = Exclude<ClaimableTable, 'task'>

export interface DesiredStateChange {
  /**
   * IDs of the rows, or a query that returns them as `id`, with any further columns that `set` reads as `changed.*`. A
   * query must lock the rows it reads in the order of their IDs, as workers do when they extend several leases.
   */
  readonly rows: readonly string[] | RawBuilder<unknown>
  /** Column assignments. Omitted to reconcile the rows again without a change. */
  readonly set?: RawBuilder<unknown>
  /** Condition on the row `t`. */
  readonly where?: RawBuilder<unknown>
  /**
   * `clear` makes the rows due now and forgets earlier failures. `keep` leaves a row that is backing off after a
   * failure to its next attempt.
   */
  readonly backoff?: 'clear' | 'keep'
}

/**
 * Changes the desired state of rows, makes them due and notifies the workers on commit. The new generation makes a
 * worker that is processing the row process it again. No other function may increment `generation`.
 * @returns the IDs of the changed rows
 */
export async function setDesiredState(
  tx: Tx,
  table: StatefulTable,
  { rows, set, where = sql`true`, backoff = 'clear' }: DesiredStateChange,
): Promise<string[]> {
  if (Array.isArray(rows) && rows.length === 0) return []
  const changed = Array.isArray(rows)
    ? sql`select id from ${sql.table(table)} where id = any(${rows}::uuid[]) order by id for update`
    : rows
  const schedule =
    backoff === 'keep'
      ? sql`reconcile_at = case when t.attempts > 0 then t.reconcile_at else portal_now() end`
      : sql`reconcile_at = portal_now(), attempts = 0, last_error = null${table === 'machine' ? sql`, refused = false` : sql``}`
  const updated = await sql<{ id: string }>`
    with changed as (${changed})
    update ${sql.table(table)} t set generation = generation + 1, ${schedule}${set === undefined ? sql`` : sql`, ${set}`}
    from changed where t.id = changed.id and ${where} returning t.id`.execute(tx)
  if (updated.rows.length > 0) await notifyWorkers(tx, table)
  return updated.rows.map(({ id }) => id)
}
