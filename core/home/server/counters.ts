import { sql } from 'kysely'

/** SQL: `(select organisation_id, balance)` of the organisations with a positive balance. */
export const positiveBalances = sql`(
  select organisation_id, invoice_paise - payment_paise as balance from ledger_balance
  where invoice_paise > payment_paise)`

/** SQL: `(select machines, trainings)` of live machines. */
export const liveCounts = sql`(
  select count(*) as machines, count(distinct training_id) as trainings from machine where terminated_at is null)`

/**
 * SQL: number of stopped machines without remaining hours, and of running machines that will be stopped for this
 * reason.
 */
export const usedUpCount = sql`(
  (select count(*) from machine where used_up_at is not null and terminated_at is null and desired <> 'gone')
  + (select count(*) from machine where quota_ends_at <= portal_now() and terminated_at is null and desired <> 'gone'))`

export const firstUsedUp = (count: number) => sql`(
  select id, since from (
    (select id, used_up_at as since, number from machine
      where used_up_at is not null and terminated_at is null and desired <> 'gone' order by used_up_at, number limit ${count})
    union all
    (select id, quota_ends_at, number from machine
      where quota_ends_at <= portal_now() and terminated_at is null and desired <> 'gone' order by quota_ends_at, number limit ${count})
  ) as machines order by since, number limit ${count})`
