import { sql } from 'kysely'
import type { Db, Tx } from '../../db/schema.ts'
import type { ClaimableRow, ClaimableTable } from './claim.ts'
import { afterError, pauseAfter } from './failures.ts'
import { RequestDeferred, type StepError } from '../../providers/errors.ts'
import type { Columns } from './outcome.ts'

/**
 * Pauses after an error that remain in full when the desired state changes.
 * - 'requested': the pause that the provider requested, even if the desired state changes before it ends.
 * - 'any': also every other pause, if the desired state changed while the step was running.
 */
export type RetainedPause = 'requested' | 'any'

export interface Release<Row> {
  readonly set: Columns<Row>
  /** Seconds until the next step, as in `Outcome`; undefined: the default pause for the error. */
  readonly next: number | null | 'never' | undefined
  readonly error: StepError | null
}

/**
 * Writes the outcome of a step and releases the claim. Only the functions of this file release claims.
 * @param generation the row's generation when the step read it
 */
export async function releaseClaim<Row extends ClaimableRow>(
  tx: Tx,
  { table, retainedPause }: { readonly table: ClaimableTable; readonly retainedPause?: RetainedPause | undefined },
  row: Row,
  { set, next, error }: Release<Row>,
  generation: number = row.generation,
): Promise<Row> {
  const failures = error === null ? { attempts: 0, last_error: null } : afterError(error, row)
  const defaultPause = error === null ? null : pauseAfter(error, failures.attempts)
  const pause = next === undefined ? defaultPause : next === 'never' ? null : next
  const requestedPause = error?.retryAfter ?? null
  const keepsPause = error !== null && retainedPause === 'any'
  const changed = next !== 'never' && !keepsPause && row.generation !== generation
  const columns: Columns<ClaimableRow> = {
    ...failures,
    ...set,
    // If the desired state changed, run the next step now or after the provider's requested pause. The pause of a
    // RequestDeferred is ignored: the portal's own rate limit set it, not the provider.
    reconcile_at: inSeconds(changed ? (error instanceof RequestDeferred ? 0 : (requestedPause ?? 0)) : pause),
    leased_until: inSeconds(retainedPause === 'requested' ? requestedPause : null),
  }
  return writeColumns<Row>(tx, table, row.id, columns as Columns<Row>)
}

/**
 * Releases a claim with one query, without locking the row first, for outcomes that do not depend on the row. Does
 * nothing if the claim is no longer valid.
 */
export async function releaseClaimUnlocked<Row extends ClaimableRow>(
  db: Db,
  table: ClaimableTable,
  { id, fence, generation }: ClaimableRow,
  { set, next }: Pick<Release<Row>, 'set'> & { readonly next: number | null | 'never' },
): Promise<void> {
  const changed = sql<boolean>`${next !== 'never'} and generation <> ${generation}`
  const assigned = assignments({
    attempts: 0,
    last_error: null,
    ...set,
    reconcile_at: sql<Date | null>`case when ${changed} then portal_now() else ${inSeconds(next === 'never' ? null : next)} end`,
    leased_until: null,
  })
  await sql`
    update ${sql.table(table)} set ${assigned}
    where id = ${id} and fence = ${fence} and leased_until is not null`.execute(db)
}

const inSeconds = (seconds: number | null) => sql<Date | null>`portal_now() + make_interval(secs => ${seconds}::float8)`

export async function writeColumns<Row extends ClaimableRow>(
  tx: Tx,
  table: ClaimableTable,
  id: string,
  columns: Columns<Row>,
): Promise<Row> {
  const { rows } =
    Object.keys(columns).length === 0
      ? await sql<Row>`select * from ${sql.table(table)} where id = ${id}`.execute(tx)
      : await sql<Row>`
          update ${sql.table(table)} set ${assignments(columns)} where id = ${id} returning *`.execute(tx)
  return rows[0]!
}

const assignments = (columns: object) =>
  sql.join(Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))
