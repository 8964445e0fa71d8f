import { type Kysely, sql } from 'kysely'

/** Fields of invoices: due date, the supplier's CIN, the customer's purchase order and cost centre, learners. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      String.raw`
-- Corporate identity number, which section 12(3)(c) of the Companies Act requires on invoices of a company.
alter table supplier add column cin text check (cin ~ '^[LU][0-9]{5}[A-Z]{2}[0-9]{4}[A-Z]{3}[0-9]{6}$');
alter table organisation_billing
  add column purchase_order text,
  add column cost_centre text,
  -- True if the list of usage names the learners.
  add column list_learners boolean not null default false;

-- Set when the document is issued. For invoices from before this migration, the due date is computed with the
-- supplier's current number of days to pay.
alter table tax_document add column due_on date check (due_on is null or (kind = 'invoice' and due_on >= issued_on));
update tax_document set due_on = issued_on + (select payment_days from supplier)::int where kind = 'invoice';
alter table tax_document add check (kind <> 'invoice' or due_on is not null);
`,
    )
    .execute(db)
}
