import { type Kysely, sql } from 'kysely'

/** Adds the name of a customer's ledger in bookkeeping programs. A renamed customer keeps this name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table customer_ledger (
  organisation_id uuid primary key references organisation (id),
  name text not null check (name <> '' and length(name) <= 200)
);
create unique index customer_ledger_name on customer_ledger (comparison_key(name));
`)
    .execute(db)
}
