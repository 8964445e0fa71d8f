import { sql } from 'kysely'
import type { Db, Tx } from '../../db/schema.ts'
import type { ClaimableRow, ClaimableTable } from './claim.ts'
import { toStepError } from './failures.ts'
import type { StepError } from '../../providers/errors.ts'
import { releaseClaim, releaseClaimUnlocked, type RetainedPause, writeColumns } from './release-claim.ts'
import type { Columns, LockedRow, Result, Step } from './outcome.ts'

export interface Work<Row extends ClaimableRow> {
  readonly table: ClaimableTable
  readonly step: Step<Row>
  readonly onError?: (row: Row, error: StepError) => Result<Row>
  /** Acquires locks that must be taken before the row's lock, in each transaction that writes an outcome. */
  readonly lockBefore?: (tx: Tx, row: Row) => Promise<void>
  readonly retainedPause?: RetainedPause
  /** Called in the transaction of each outcome, with the row before and after it. */
  readonly onWrite?: (tx: Tx, before: Row, after: Row) => Promise<void>
}

const MAX_STEPS = 10

export async function workOn<Row extends ClaimableRow>(
  db: Db,
  work: Work<Row>,
  claimed: Row,
  signal: AbortSignal,
  onBug: (bug: unknown) => void,
): Promise<void> {
  let follows: NextStep<Row> | null = { row: claimed, step: work.step }
  for (let steps = 1; follows !== null; steps++) {
    const { row, step }: NextStep<Row> = follows
    const writing = { db, work, claimed, last: steps >= MAX_STEPS, onBug }
    try {
      follows = await write(writing, await step(row, signal))
    } catch (thrown) {
      const error = toStepError(thrown, onBug)
      follows = await write(writing, work.onError?.(row, error) ?? { error })
    }
  }
}

interface NextStep<Row extends ClaimableRow> {
  readonly row: Row
  readonly step: Step<Row>
}

interface Writing<Row extends ClaimableRow> {
  readonly db: Db
  readonly work: Work<Row>
  readonly claimed: Row
  readonly last: boolean
  readonly onBug: (bug: unknown) => void
}

async function write<Row extends ClaimableRow>(
  { db, work, claimed, last, onBug }: Writing<Row>,
  result: Result<Row>,
): Promise<NextStep<Row> | null> {
  if (isPlain(result) && work.lockBefore === undefined && work.onWrite === undefined) {
    await releaseClaimUnlocked(db, work.table, claimed, { set: result.set ?? {}, next: result.next })
    return null
  }
  return db.transaction().execute(async (tx) => {
    await work.lockBefore?.(tx, claimed)
    const row = await lockRow(tx, work.table, claimed)
    if (row?.fence !== claimed.fence || row.leased_until === null) return null
    const outcome = typeof result === 'function' ? await result(tx, row) : result
    const { set = {}, next } = outcome
    if (typeof next === 'function' && !last) {
      const after = await writeColumns<Row>(tx, work.table, row.id, set)
      await work.onWrite?.(tx, row, after)
      return { row: after, step: next }
    }
    const error = 'error' in outcome ? toStepError(outcome.error, onBug) : null
    const released = { set, next: typeof next === 'function' ? 0 : next, error }
    const after = await releaseClaim(tx, work, row, released, claimed.generation)
    await work.onWrite?.(tx, row, after)
    return null
  })
}

function isPlain<Row extends ClaimableRow>(
  result: Result<Row>,
): result is { readonly set?: Columns<Row>; readonly next: number | null | 'never' } {
  return typeof result === 'object' && !('error' in result) && typeof result.next !== 'function'
}

async function lockRow<Row extends ClaimableRow>(
  tx: Tx,
  table: ClaimableTable,
  { id }: Row,
): Promise<LockedRow<Row> | undefined> {
  const { rows } = await sql<LockedRow<Row>>`
    select *, portal_now() as now from ${sql.table(table)} where id = ${id} for update`.execute(tx)
  return rows[0]
}
