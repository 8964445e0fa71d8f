import { type Kysely, sql } from 'kysely'

/** A page of an account is read from its index alone: its entries lie far apart, among everybody else's of their day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index ledger_entry_organisation;
    create index ledger_entry_organisation on ledger_entry (organisation_id, date, id)
      include (kind, amount_paise, particular, reference);
  `.execute(db)
}
