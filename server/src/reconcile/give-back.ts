import { sql } from 'kysely'
import type { Db, Tx } from '../db/schema.ts'
import type { ClaimableRow, ClaimableTable } from './claim.ts'
import { afterError, pauseAfter, type StepError } from './failures.ts'
import { NotItsTurn } from '../providers/errors.ts'
import type { Columns } from './outcome.ts'

/**
 * The pause after an error that lasts although something else is wanted meanwhile: the one that the provider asked for,
 * or any. Where it is left out, none does: what is wanted anew is tried at once.
 */
export type LastingPause = 'asked' | 'any'

export interface GivenBack<Row> {
  readonly set: Columns<Row>
  readonly next: number | null | 'over' | undefined
  readonly error: StepError | null
}

/**
 * Writes an outcome and gives the row back, locked; `giveBackAtOnce` below does so unlocked, and nothing else does.
 * @param row the row, locked
 * @param generation of when it was found out what the row needs
 */
export async function giveBack<Row extends ClaimableRow>(
  tx: Tx,
  { table, lastingPause }: { readonly table: ClaimableTable; readonly lastingPause?: LastingPause | undefined },
  row: Row,
  { set, next, error }: GivenBack<Row>,
  generation: number = row.generation,
): Promise<void> {
  const failures = error === null ? { attempts: 0, last_error: null } : afterError(error, row)
  const usual = error === null ? null : pauseAfter(error, failures.attempts)
  const pause = next === undefined ? usual : next === 'over' ? null : next
  const asked = error?.retryAfter ?? null
  const lasts = error !== null && lastingPause === 'any'
  const anew = next !== 'over' && !lasts && row.generation !== generation
  await writeColumns<ClaimableRow>(tx, table, row.id, {
    ...failures,
    ...set,
    // A wish that came meanwhile is tried at once, but not before the pause is over that the provider asked for.
    reconcile_at: inSeconds(anew ? (error instanceof NotItsTurn ? 0 : (asked ?? 0)) : pause),
    leased_until: inSeconds(lastingPause === 'asked' ? asked : null),
  })
}

/**
 * Gives a row back after a step without an error whose outcome hangs on nothing in the row: one query in place of a
 * transaction, and nothing where the claim does not hold any more.
 */
export async function giveBackAtOnce<Row extends ClaimableRow>(
  db: Db,
  table: ClaimableTable,
  { id, fence, generation }: ClaimableRow,
  { set, next }: Pick<GivenBack<Row>, 'set'> & { readonly next: number | null | 'over' },
): Promise<void> {
  const anew = sql<boolean>`${next !== 'over'} and generation <> ${generation}`
  const assigned = assignments({
    attempts: 0,
    last_error: null,
    ...set,
    reconcile_at: sql<Date | null>`case when ${anew} then portal_now() else ${inSeconds(next === 'over' ? null : next)} end`,
    leased_until: null,
  })
  await sql`
    update ${sql.table(table)} set ${assigned}
    where id = ${id} and fence = ${fence} and leased_until is not null`.execute(db)
}

const inSeconds = (seconds: number | null) => sql<Date | null>`portal_now() + make_interval(secs => ${seconds}::float8)`

/** Writes columns of a row; answers the row as it is then. */
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
