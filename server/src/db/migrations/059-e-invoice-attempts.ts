import { type Kysely, sql } from 'kysely'

/** Failed attempts to register documents at the e-invoice portal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table e_invoice_attempt (
  document_id uuid primary key references tax_document (id),
  attempts integer not null check (attempts > 0),
  next_at timestamptz not null,
  last_error text not null check (length(last_error) between 1 and 1200)
);
create index e_invoice_attempt_due on e_invoice_attempt (next_at);
`,
    )
    .execute(db)
}
