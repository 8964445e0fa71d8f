import { sql } from 'kysely'
import { usedByMachine } from '../meter/used.ts'

/** What an organisation owes, from entries aliased `e`: invoices less payments, in paise. */
export const owed = sql`coalesce(sum(case e.kind when 'invoice' then e.amount_paise else -e.amount_paise end), 0)`

/** Organisations with a balance above zero: `(select organisation_id, balance)`. */
export const owing = sql`(
  select e.organisation_id, ${owed}::bigint as balance from ledger_entry e
  group by e.organisation_id having ${owed} > 0)`

/** Live machines whose allotted minutes are used up: `(select id, seconds)`. */
export const usedUp = sql`(
  select m.id, used.seconds from machine m
  join ${usedByMachine(sql`select id from machine where terminated_at is null and allotted_minutes is not null`)} as used
    on used.machine_id = m.id
  where m.terminated_at is null and used.seconds >= m.allotted_minutes * 60)`
