import { type Kysely, sql } from 'kysely'

/**
 * If a supplier must use e-invoicing, an unregistered invoice is invalid (CGST Rules, 48(5)). The portal withholds
 * such a document from the customer until its registration is recorded.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
-- Aggregate turnover in crore rupees, in any financial year since 2017-18.
alter table supplier add column turnover text not null default 'up to 5'
  check (turnover in ('up to 5', '5 to 10', '10 or more'));
-- True if the document needed a registration when it was issued.
alter table tax_document add column needs_registration boolean not null default false;
create index tax_document_needs_registration on tax_document (issued_on) where needs_registration;
`,
    )
    .execute(db)
}
