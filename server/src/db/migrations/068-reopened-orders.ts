import { type Kysely, sql } from 'kysely'

/** Stores when a payer last opened an order. Payers of a request or a proforma invoice share one order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(OPENED_AT).execute(db)
}

const OPENED_AT = `
alter table payment add column opened_at timestamptz;
update payment set opened_at = created_at;
alter table payment alter column opened_at set default portal_now(), alter column opened_at set not null;
`
