import type { RawBuilder } from 'kysely'
import type { Tx } from '../db/schema.ts'
import type { ClaimableRow } from './claim.ts'

/**
 * Does what a claimed row needs now, by calls that may be repeated. It writes nothing itself: its outcome is written
 * by the loop, under the row's fence. What it throws is an outcome with that error.
 */
export type Step<Row extends ClaimableRow> = (row: Row, signal: AbortSignal) => Promise<Result<Row>>

/** An outcome, or what works it out of the row as it is now, locked, in the transaction that writes it. */
export type Result<Row extends ClaimableRow> =
  | Outcome<Row>
  | ((tx: Tx, row: LockedRow<Row>) => Outcome<Row> | Promise<Outcome<Row>>)

/** A row as it is now, locked, with the portal's clock at that. */
export type LockedRow<Row> = Row & { readonly now: Date }

export type Outcome<Row extends ClaimableRow> = {
  /**
   * Columns to write. With an outcome that gives the row back, the count of attempts and the last error end as well, or
   * are those of its error, unless they are set here.
   */
  readonly set?: Columns<Row>
} & (
  | { readonly next: Next<Row>; readonly error?: never }
  /**
   * The error that kept the step from its work is counted, shown, and tried again after the pause that such errors
   * have.
   */
  | { readonly next?: Next<Row>; readonly error: unknown }
)

/**
 * - a number: seconds until the row is taken up again; at once when it was wanted anew since it was claimed.
 * - null: it is not taken up again by itself.
 * - 'over': it never is, whatever was wanted meanwhile.
 * - a step: the claim goes on with it, once `set` is written; for what must stand in the row before a call is sent.
 */
export type Next<Row extends ClaimableRow> = number | null | 'over' | Step<Row>

export type Columns<Row> = { readonly [Column in keyof Row]?: Row[Column] | RawBuilder<Row[Column]> }
