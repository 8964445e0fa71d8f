import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/schema.ts'

/** Minimum age in days. The months that bills, budgets and Home read stay in one table. */
const RUN_ARCHIVE_DAYS_MIN = 62

const BATCH = 5_000

const COLUMNS = sql.raw(
  'id, machine_id, organisation_id, started_at, stopped_at, paise_per_hour, hidden_at, opened_by, opened_told_at, closed_by, closed_told_at',
)

/**
 * Moves old runs to the archive. A row is always in exactly one of the two tables, so readers of `all_run` see no
 * difference.
 */
export async function archiveRuns(db: Db, days: number, signal: AbortSignal, batch = BATCH): Promise<void> {
  if (days < RUN_ARCHIVE_DAYS_MIN) throw new Error(`Runs must stay for at least ${RUN_ARCHIVE_DAYS_MIN} days.`)
  for (let after: number | null = 0; after !== null;) {
    signal.throwIfAborted()
    after = await moveBatch(db, days, after, batch)
  }
}

/**
 * Moves a batch, without rows that other workers have locked. Returns the ID of the last run; null if none was left.
 */
async function moveBatch(db: Db, days: number, after: number, batch: number): Promise<number | null> {
  const { rows } = await sql<{ ids: number[] | null; months: string[] }>`
    select array_agg(id order by id) as ids,
      array_agg(distinct to_char(stopped_at at time zone 'UTC', 'YYYY-MM-01')) as months
    from (select id, stopped_at from run
      where id > ${after} and stopped_at < portal_now() - make_interval(days => ${days})
      order by id limit ${batch}) as old`.execute(db)
  const { ids, months } = rows[0]!
  if (ids === null) return null
  // The partition is created in a separate transaction before the rows are moved, so that its table locks are released
  // early.
  for (const month of months) await sql`select make_run_archive(${month}::date)`.execute(db)
  await sql`
    with old as (select id from run where id = any(${ids}::bigint[]) order by id for update skip locked),
      moved as (delete from run using old where run.id = old.id returning run.*)
    insert into run_archive (${COLUMNS}) select ${COLUMNS} from moved`.execute(db)
  return ids.at(-1)!
}

/** Moves archived runs that end in the future back, because the clock may have been set back by months. */
export async function restoreFutureRuns(tx: Tx): Promise<void> {
  await sql`
    with restored as (delete from run_archive where machine_id in (
        select machine_id from all_run where greatest(started_at, stopped_at) > portal_now()) returning *)
    insert into run (${COLUMNS}) overriding system value select ${COLUMNS} from restored`.execute(tx)
}
