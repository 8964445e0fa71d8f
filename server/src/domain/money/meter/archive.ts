import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/schema.ts'

/** Days below which no run is moved: the months that bills, budgets and Home look at stay in one table. */
export const RUN_ARCHIVE_DAYS_MIN = 62

const BATCH = 5_000

const COLUMNS = sql.raw(
  'id, machine_id, organisation_id, started_at, stopped_at, paise_per_hour, hidden_at, opened_by, opened_told_at, closed_by, closed_told_at',
)

/**
 * Moves the runs that ended so many days ago to the archive, in the order in which they began, a batch a transaction. A
 * row is in one of the two at any instant, so what reads `all_run` never notices. Several workers share the work.
 * @param batch rows of one transaction
 */
export async function archiveRuns(db: Db, days: number, signal: AbortSignal, batch = BATCH): Promise<void> {
  if (days < RUN_ARCHIVE_DAYS_MIN) throw new Error(`Runs stay for ${RUN_ARCHIVE_DAYS_MIN} days at least.`)
  for (let after: number | null = 0; after !== null;) {
    signal.throwIfAborted()
    after = await moveSome(db, days, after, batch)
  }
}

/** Answers the last run of a batch, whoever moved it; null: there was none left. */
async function moveSome(db: Db, days: number, after: number, batch: number): Promise<number | null> {
  const { rows } = await sql<{ ids: number[] | null; months: string[] }>`
    select array_agg(id order by id) as ids,
      array_agg(distinct to_char(stopped_at at time zone 'UTC', 'YYYY-MM-01')) as months
    from (select id, stopped_at from run
      where id > ${after} and stopped_at < portal_now() - make_interval(days => ${days})
      order by id limit ${batch}) as old`.execute(db)
  const { ids, months } = rows[0]!
  if (ids === null) return null
  // A month's table is there, by a transaction of its own, before a row is: its locks are not held meanwhile.
  for (const month of months) await sql`select make_run_archive(${month}::date)`.execute(db)
  await sql`
    with old as (select id from run where id = any(${ids}::bigint[]) order by id for update skip locked),
      moved as (delete from run using old where run.id = old.id returning run.*)
    insert into run_archive (${COLUMNS}) select ${COLUMNS} from moved`.execute(db)
  return ids.at(-1)!
}

/** Takes the runs of machines that have one after now back out of the archive: a clock went back by months. */
export async function bringBackFromArchive(tx: Tx): Promise<void> {
  await sql`
    with back as (delete from run_archive where machine_id in (
        select machine_id from all_run where greatest(started_at, stopped_at) > portal_now()) returning *)
    insert into run (${COLUMNS}) overriding system value select ${COLUMNS} from back`.execute(tx)
}
