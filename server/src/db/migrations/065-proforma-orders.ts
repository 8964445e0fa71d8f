import { type Kysely, sql } from 'kysely'

/** Online orders for proforma invoices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(COLUMN).execute(db)
  await sql.raw(TRIGGERS).execute(db)
}

const COLUMN = `
-- Quote whose proforma invoice the order pays.
alter table payment
  add column quote_id uuid,
  add constraint payment_proforma check (quote_id is null
    or (request is null and settles is null and not on_account and not prepaid)),
  add foreign key (quote_id, organisation_id) references quote (id, organisation_id);
-- All payers of the same amount share one unpaid order.
create unique index payment_proforma_order on payment (quote_id, amount_paise)
  where quote_id is not null and paid_at is null;
`

const TRIGGERS = `
create trigger payment_proforma_open before insert on payment for each row
  when (new.quote_id is not null) execute function require_proforma();
create trigger payment_proforma_kept before update on payment for each row
  when (new.quote_id is distinct from old.quote_id) execute function reject_payment_change();
`
