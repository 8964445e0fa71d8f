import type { RawBuilder } from 'kysely'
import type { Tx } from '../../db/schema.ts'
import type { ClaimableRow } from './claim.ts'

/**
 * Function that executes one step of a row. A step can be repeated safely and writes nothing itself: the loop writes its
 * outcome under the row's fence.
 */
export type Step<Row extends ClaimableRow> = (row: Row, signal: AbortSignal) => Promise<Result<Row>>

export type Result<Row extends ClaimableRow> =
  | Outcome<Row>
  | ((tx: Tx, row: LockedRow<Row>) => Outcome<Row> | Promise<Outcome<Row>>)

export type LockedRow<Row> = Row & { readonly now: Date }

export type Outcome<Row extends ClaimableRow> = {
  /**
   * Columns to set. An outcome that releases the row also resets `attempts` and `last_error`, unless they are given
   * here.
   */
  readonly set?: Columns<Row>
} & (
  | { readonly next: Next<Row>; readonly error?: never }
  /** Error that is counted and shown. The step is retried after the pause for this kind of error. */
  | { readonly next?: Next<Row>; readonly error: unknown }
)

/**
 * Next run of the row. - number: seconds until the next run, which is at once if the desired state changed. - null: no
 * further run, unless the desired state changed. - 'never': no further run, even if the desired state changed. - step:
 * runs under the same claim after `set` is written.
 */
type Next<Row extends ClaimableRow> = number | null | 'never' | Step<Row>

export type Columns<Row> = { readonly [Column in keyof Row]?: Row[Column] | RawBuilder<Row[Column]> }
