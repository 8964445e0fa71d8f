import { sql } from 'kysely'
import type { Db, Tx } from '../db/schema.ts'
import type { ClaimableRow, ClaimableTable } from './claim.ts'
import { afterError, errorOf, pauseAfter } from './failures.ts'
import type { LastingPause, LockedRow, Outcome, Result, Step } from './outcome.ts'

/** How rows of a kind are worked on, one at a time by whoever has claimed it. */
export interface Work<Row extends ClaimableRow> {
  readonly table: ClaimableTable
  readonly step: Step<Row>
  /** Takes the locks that come before the row's own, in the transaction that writes an outcome. */
  readonly lockBefore?: (tx: Tx, row: Row) => Promise<void>
  /** 'none' where left out: what is wanted anew is tried at once. */
  readonly lastingPause?: LastingPause
}

/** Steps that follow one another under one claim: more are a mistake, and the row is claimed anew before they go on. */
const STEPS = 10

/** Takes the steps of a claimed row and writes their outcomes under its fence; the last one gives it back. */
export async function workOn<Row extends ClaimableRow>(
  db: Db,
  work: Work<Row>,
  claimed: Row,
  signal: AbortSignal,
  onBug: (bug: unknown) => void,
): Promise<void> {
  let follows: Follows<Row> | null = { row: claimed, step: work.step }
  for (let steps = 1; follows !== null; steps++) {
    const { row, step }: Follows<Row> = follows
    const last = steps >= STEPS
    try {
      follows = await write({ db, work, claimed, last, onBug }, await step(row, signal))
    } catch (error) {
      follows = await write({ db, work, claimed, last, onBug }, { error })
    }
  }
}

/** A step to go on with, and the row as it is now. */
interface Follows<Row extends ClaimableRow> {
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

/** Writes what came of a step, where the claim still holds; answers what follows at once, if anything does. */
function write<Row extends ClaimableRow>(
  { db, work, claimed, last, onBug }: Writing<Row>,
  result: Result<Row>,
): Promise<Follows<Row> | null> {
  return db.transaction().execute(async (tx) => {
    await work.lockBefore?.(tx, claimed)
    const { rows } = await sql<LockedRow<Row>>`
      select *, portal_now() as now from ${sql.table(work.table)} where id = ${claimed.id} for update`.execute(tx)
    const [row] = rows
    if (row === undefined || row.fence !== claimed.fence || row.leased_until === null) return null
    const outcome = typeof result === 'function' ? await result(tx, row) : result
    if (typeof outcome.next !== 'function' || last) {
      await giveBack(tx, work, { row, generation: claimed.generation }, { onBug, ...outcome })
      return null
    }
    const assigned = assignments(outcome.set ?? {})
    if (assigned.length === 0) return { row, step: outcome.next }
    const after = await sql<Row>`
      update ${sql.table(work.table)} set ${sql.join(assigned)} where id = ${row.id} returning *`.execute(tx)
    return { row: after.rows[0]!, step: outcome.next }
  })
}

/**
 * Writes an outcome and gives the row back. The row is locked, and wanted as of `generation` by whoever worked it out.
 */
export async function giveBack<Row extends ClaimableRow>(
  tx: Tx,
  { table, lastingPause = 'none' }: Pick<Work<Row>, 'table' | 'lastingPause'>,
  { row, generation }: { readonly row: LockedRow<Row>; readonly generation: number },
  { set = {}, next, error: thrown, onBug }: Outcome<Row> & { readonly onBug: (bug: unknown) => void },
): Promise<void> {
  const error = thrown === undefined ? null : errorOf(thrown, onBug)
  const failures = error === null ? { attempts: 0, last_error: null } : afterError(error, row)
  const pause =
    next === undefined && error !== null ? pauseAfter(error, failures.attempts) : typeof next === 'number' ? next : null
  const asked = error?.retryAfter ?? null
  const anew = next !== 'over' && row.generation !== generation
  // What is wanted anew meanwhile is tried at once, but not before the provider's pause is over.
  const seconds = next === 'over' ? null : typeof next === 'function' ? 0 : anew ? (asked ?? 0) : pause
  const withheld = error === null || lastingPause === 'none' ? null : lastingPause === 'any' ? pause : asked
  const written = {
    ...failures,
    ...set,
    leased_until: sql`portal_now() + make_interval(secs => ${withheld}::float8)`,
    reconcile_at: sql`portal_now() + make_interval(secs => ${seconds}::float8)`,
  }
  await sql`update ${sql.table(table)} set ${sql.join(assignments(written))} where id = ${row.id}`.execute(tx)
}

const assignments = (columns: object) =>
  Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
