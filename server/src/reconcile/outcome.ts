import type { RawBuilder } from 'kysely'
import type { Tx } from '../db/schema.ts'
import type { ClaimableRow } from './claim.ts'
import type { StepError } from './failures.ts'

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

export interface Outcome<Row extends ClaimableRow> {
  /** Columns to write. Without an error, and but for a further step, the count of failures and the last error end. */
  readonly set?: Columns<Row>
  /**
   * - a number: seconds until the row is taken up again; at once when it was wanted anew since it was claimed.
   * - null: it is not taken up again by itself.
   * - 'over': it never is, whatever was wanted meanwhile.
   * - a step: the claim goes on with it, once `set` is written; for what must stand in the row before a call is sent.
   * - left out, with an error: the pause that such errors have.
   */
  readonly next?: number | null | 'over' | Step<Row>
  /** What kept the step from doing its work: counted, shown, and tried again. */
  readonly error?: unknown
}

export type Columns<Row> = { readonly [Column in keyof Row]?: Row[Column] | RawBuilder<Row[Column]> }

/** The pause after an error that lasts although something else is wanted meanwhile. */
export type LastingPause = 'none' | 'asked for by the provider' | 'any'

export type { StepError }
