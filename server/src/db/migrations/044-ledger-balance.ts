import { type Kysely, sql } from 'kysely'

/**
 * Each organisation's bills and payments add up in one row: the ledger of all is read without adding up its entries.
 * A trigger keeps it in the transaction of the entry; the app's role reads it and can't write it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_balance (
      organisation_id uuid primary key references organisation (id),
      invoice_paise bigint not null,
      payment_paise bigint not null
    );
    insert into ledger_balance
      select organisation_id,
        coalesce(sum(amount_paise) filter (where kind = 'invoice'), 0),
        coalesce(sum(amount_paise) filter (where kind = 'payment'), 0)
      from ledger_entry group by organisation_id;

    -- In the organisations' order, so that two statements about several of them can't wait for each other.
    create function keep_ledger_balance() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      insert into ledger_balance as kept
        select organisation_id,
          coalesce(sum(amount_paise) filter (where kind = 'invoice'), 0),
          coalesce(sum(amount_paise) filter (where kind = 'payment'), 0)
        from added group by organisation_id order by organisation_id
      on conflict (organisation_id) do update
        set invoice_paise = kept.invoice_paise + excluded.invoice_paise,
          payment_paise = kept.payment_paise + excluded.payment_paise;
      return null;
    end $$;
    create trigger ledger_entry_added after insert on ledger_entry referencing new table as added
      for each statement execute function keep_ledger_balance();
  `.execute(db)
}
