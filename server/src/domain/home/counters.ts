import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

/** SQL: `(select organisation_id, balance)` of the organisations with a positive balance. */
export const positiveBalances = sql`(
  select organisation_id, invoice_paise - payment_paise as balance from ledger_balance
  where invoice_paise > payment_paise)`

/** Returns the value of a counter, which triggers maintain: see docs/decisions/046. */
export const counterValue = (name: 'users' | 'failing' | 'used up') => sql`(
  (select coalesce(sum(count), 0)::bigint from counter where name = ${name})
  + (select coalesce(sum(change), 0)::bigint from counter_change where name = ${name}))`

/**
 * SQL: `(select machines, trainings)` of live machines. The result includes counter changes that are not yet added to
 * the stored counters.
 */
export const liveCounts = sql`(
  select added_up.machines + changed.machines as machines, added_up.trainings + changed.trainings as trainings
  from (select coalesce(sum(count), 0)::bigint as machines, count(*) as trainings from counter where name = 'live')
      as added_up,
    (select coalesce(sum(c.change), 0)::bigint as machines,
        coalesce(sum((coalesce(t.count, 0) + c.change > 0)::int - (t.count is not null)::int), 0)::bigint as trainings
      from (select training_id, sum(change) as change from counter_change where name = 'live' group by training_id) as c
      left join counter t on t.name = 'live' and t.training_id = c.training_id) as changed)`

/**
 * SQL: number of stopped machines without remaining hours, and of running machines that will be stopped for this
 * reason.
 */
export const usedUpCount = sql`(
  ${counterValue('used up')}
  + (select count(*) from machine where quota_ends_at <= portal_now() and terminated_at is null))`

export const firstUsedUp = (count: number) => sql`(
  select id, since from (
    (select id, used_up_at as since, number from machine
      where used_up_at is not null and terminated_at is null order by used_up_at, number limit ${count})
    union all
    (select id, quota_ends_at, number from machine
      where quota_ends_at <= portal_now() and terminated_at is null order by quota_ends_at, number limit ${count})
  ) as machines order by since, number limit ${count})`

/** Adds the pending changes to the counters, so that reads sum up only few changes. */
export async function foldCounters(db: Db): Promise<void> {
  await sql`select add_up_counters()`.execute(db)
}
