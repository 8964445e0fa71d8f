import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

/** Organisations with a balance above zero: `(select organisation_id, balance)`. */
export const owing = sql`(
  select organisation_id, invoice_paise - payment_paise as balance from ledger_balance
  where invoice_paise > payment_paise)`

/** What is counted as it changes, see docs/decisions/046: `(select name, training_id, count)`, none of them 0. */
export const tallies = sql`(
  select name, training_id, sum(count)::bigint as count
  from (select name, training_id, count from tally
    union all select name, training_id, change from tally_change) as said
  group by name, training_id having sum(count) <> 0)`

/** How many live machines have used their allotted minutes up: those at rest, and those about to be stopped. */
export const countUsedUp = sql`(
  coalesce((select count from ${tallies} as tallies where name = 'used up'), 0)
  + (select count(*) from machine where quota_ends_at <= portal_now() and terminated_at is null))`

/** The first of them, longest used up first: `(select id, since)`. */
export const firstUsedUp = (few: number) => sql`(
  select id, since from (
    (select id, used_up_at as since, number from machine
      where used_up_at is not null and terminated_at is null order by used_up_at, number limit ${few})
    union all
    (select id, quota_ends_at, number from machine
      where quota_ends_at <= portal_now() and terminated_at is null order by quota_ends_at, number limit ${few})
  ) as machines order by since, number limit ${few})`

/** Adds up what changed since the last time, so that reading has little to add. */
export async function addUpTallies(db: Db): Promise<void> {
  await sql`select add_up_tallies()`.execute(db)
}
