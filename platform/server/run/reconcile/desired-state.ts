import { type RawBuilder, sql } from 'kysely'
import { notifyWorkers } from './notify.ts'
import type { Tx } from '../../db/schema.ts'
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

/** Changes the desired state. Machines have `setDesiredMachines`. */
export async function setDesiredState(
  tx: Tx,
  table: Exclude<StatefulTable, 'machine'>,
  change: DesiredStateChange,
): Promise<string[]> {
  return (await changeGeneration(tx, table, change)).map(({ id }) => id)
}

/**
 * Changes rows and their generation, which makes a worker process them again. No other function may increment
 * `generation`. Returns the changed rows with the columns of `returning`, which can read `changed.*`.
 */
export async function changeGeneration<Row extends { readonly id: string }>(
  tx: Tx,
  table: StatefulTable,
  { rows, set, where = sql`true`, backoff = 'clear' }: DesiredStateChange,
  returning = sql``,
): Promise<Row[]> {
  if (Array.isArray(rows) && rows.length === 0) return []
  const changed = Array.isArray(rows)
    ? sql`select id, last_error from ${sql.table(table)} where id = any(${rows}::uuid[]) order by id for update`
    : rows
  const schedule =
    backoff === 'keep'
      ? sql`reconcile_at = case when t.attempts > 0 then t.reconcile_at else portal_now() end`
      : sql`reconcile_at = portal_now(), attempts = 0, last_error = null`
  const updated = await sql<Row>`
    with changed as (${changed})
    update ${sql.table(table)} t set generation = generation + 1, ${schedule}${set === undefined ? sql`` : sql`, ${set}`}
    from changed where t.id = changed.id and ${where} returning t.id${returning}`.execute(tx)
  if (updated.rows.length > 0) await notifyWorkers(tx, table)
  return updated.rows
}
