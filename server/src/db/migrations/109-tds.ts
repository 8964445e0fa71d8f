import { type Kysely, sql } from 'kysely'

/**
 * Tax that a customer deducts at source and pays to the government in the supplier's name: an entry of its own kind, by
 * the certificate that the customer gives for it. It settles what is owed as a payment does; `keep_ledger_balance` adds
 * it to what was received, as it does all that is neither invoice nor refund.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_entry
      drop constraint ledger_entry_kind_check,
      add constraint ledger_entry_kind_check check (kind in ('invoice', 'payment', 'refund', 'tds')),
      add column tds_section text check (tds_section ~ '^[0-9A-Za-z() .,/-]{1,20}$'),
      -- April to March: '26-27'.
      add column tds_year text check (tds_year ~ '^[0-9]{2}-[0-9]{2}$'
        and mod(left(tds_year, 2)::int + 1, 100) = right(tds_year, 2)::int),
      -- From 1, which begins in April.
      add column tds_quarter smallint check (tds_quarter between 1 and 4),
      add constraint ledger_entry_tds check (case when kind = 'tds'
        then tds_section is not null and tds_year is not null and tds_quarter is not null and amount_paise > 0
        else tds_section is null and tds_year is null and tds_quarter is null end)`.execute(db)
}
