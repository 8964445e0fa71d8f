import type { RawBuilder } from 'kysely'
import type { Tx } from '../db/schema.ts'
import type { ClaimableRow } from './claim.ts'

/** A step repeats safely and writes nothing itself: the loop writes its outcome under the row's fence. */
export type Step<Row extends ClaimableRow> = (row: Row, signal: AbortSignal) => Promise<Result<Row>>

export type Result<Row extends ClaimableRow> =
  | Outcome<Row>
  | ((tx: Tx, row: LockedRow<Row>) => Outcome<Row> | Promise<Outcome<Row>>)

export type LockedRow<Row> = Row & { readonly now: Date }

export type Outcome<Row extends ClaimableRow> = {
  /** An outcome that releases the row also resets `attempts` and `last_error`, unless given here. */
  readonly set?: Columns<Row>
} & (
  | { readonly next: Next<Row>; readonly error?: never }
  /** Counted and shown; the step is retried after the pause for this kind of error. */
  | { readonly next?: Next<Row>; readonly error: unknown }
)

/**
 * - number: seconds until the next run; at once if the desired state changed.
 * - null: not scheduled again.
 * - 'never': not even if the desired state changed.
 * - step: runs under the same claim after `set` is written.
 */
type Next<Row extends ClaimableRow> = number | null | 'never' | Step<Row>

export type Columns<Row> = { readonly [Column in keyof Row]?: Row[Column] | RawBuilder<Row[Column]> }
