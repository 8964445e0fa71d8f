import { sql } from 'kysely'
import { usedByMachine } from '../meter/used.ts'

/** Organisations with a balance above zero: `(select organisation_id, balance)`. */
export const owing = sql`(
  select organisation_id, invoice_paise - payment_paise as balance from ledger_balance
  where invoice_paise > payment_paise)`

/** Live machines whose allotted minutes are used up: `(select id, seconds)`. */
export const usedUp = sql`(
  select m.id, used.seconds from machine m
  join ${usedByMachine(sql`select id from machine where terminated_at is null and allotted_minutes is not null`)} as used
    on used.machine_id = m.id
  where m.terminated_at is null and used.seconds >= m.allotted_minutes * 60)`
