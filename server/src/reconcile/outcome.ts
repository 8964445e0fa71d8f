import type { RawBuilder } from 'kysely'
import type { Tx } from '../db/schema.ts'
import type { ClaimableRow } from './claim.ts'

/**
 * Does what a claimed row needs now, using calls that are safe to repeat. A step writes nothing itself: the loop writes
 * its outcome under the row's fence. A thrown error becomes an outcome with that error.
 */
export type Step<Row extends ClaimableRow> = (row: Row, signal: AbortSignal) => Promise<Result<Row>>

/** An outcome, or a function that derives it from the locked row in the transaction that writes it. */
export type Result<Row extends ClaimableRow> =
  | Outcome<Row>
  | ((tx: Tx, row: LockedRow<Row>) => Outcome<Row> | Promise<Outcome<Row>>)

/** The current, locked row, and the time of the portal's clock. */
export type LockedRow<Row> = Row & { readonly now: Date }

export type Outcome<Row extends ClaimableRow> = {
  /**
   * Columns to write. An outcome that releases the row also resets `attempts` and `last_error`, or sets them from its
   * error, unless given here.
   */
  readonly set?: Columns<Row>
} & (
  | { readonly next: Next<Row>; readonly error?: never }
  /**
   * The error that made the step fail. It is counted and shown, and the step is retried after the pause for this kind
   * of error.
   */
  | { readonly next?: Next<Row>; readonly error: unknown }
)

/**
 * - a number: seconds until the row is processed again; at once if its desired state changed since the claim.
 * - null: the row is not scheduled again.
 * - 'never': the row is never processed again, even if its desired state changed.
 * - a step: runs under the same claim after `set` is written; used for data that must be stored before a provider is
 * called.
 */
type Next<Row extends ClaimableRow> = number | null | 'never' | Step<Row>

export type Columns<Row> = { readonly [Column in keyof Row]?: Row[Column] | RawBuilder<Row[Column]> }
