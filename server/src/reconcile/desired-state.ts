import { type RawBuilder, sql } from 'kysely'
import { notifyWorkers } from './notify.ts'
import type { Tx } from '../db/schema.ts'
import type { ClaimableTable } from './claim.ts'

type StatefulTable = Exclude<ClaimableTable, 'task'>

export interface DesiredStateChange {
  /** A query returns `id` and columns that `set` reads as `changed.*`, and must lock its rows in the order of IDs. */
  readonly rows: readonly string[] | RawBuilder<unknown>
  readonly set?: RawBuilder<unknown>
  readonly where?: RawBuilder<unknown>
  /**
   * `clear`: the row is due now, without its earlier failures. `keep`: a row that is backing off waits for its next
   * attempt.
   */
  readonly backoff?: 'clear' | 'keep'
}

/**
 * Changes the desired state. The new generation makes a worker process the row again. No other function may increment
 * `generation`.
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
