import { type Kysely, sql } from 'kysely'

/**
 * Adds kinds of entries for corrections: the reversal of an invoice, payment or TDS certificate that a user recorded,
 * and the write-off of an invoice. A receipt can name the invoice that it settles.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(ENTRIES).execute(db)
  await sql.raw(FUNCTIONS).execute(db)
}

const ENTRIES = `
alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check check (kind in
  ('invoice', 'payment', 'refund', 'tds', 'invoice reversal', 'payment reversal', 'tds reversal', 'write-off'));
-- Number of the recorded entry that a reversal cancels completely.
alter table ledger_entry add column reverses text;
alter table ledger_entry add column reversed_kind text generated always as (case kind
  when 'invoice reversal' then 'invoice' when 'payment reversal' then 'payment' when 'tds reversal' then 'tds' end) stored;
-- Number of the invoice that a payment, a TDS certificate or a write-off settles; null: the oldest invoices.
alter table ledger_entry add column settles text;
alter table ledger_entry add column settled_kind text
  generated always as (case when settles is null then null else 'invoice' end) stored;
alter table ledger_entry
  add check ((reversed_kind is null) = (reverses is null)),
  add check (reversed_kind is null or (source = 'manual' and amount_paise <> 0)),
  add check (kind <> 'write-off' or (settles is not null and amount_paise > 0 and source = 'manual')),
  add check (settles is null or kind in ('payment', 'tds', 'write-off')),
  add foreign key (organisation_id, reversed_kind, reverses, amount_paise)
    references ledger_entry (organisation_id, kind, reference, amount_paise),
  add foreign key (organisation_id, settled_kind, settles) references ledger_entry (organisation_id, kind, reference);
-- An entry is reversed once.
create unique index ledger_entry_reversed on ledger_entry (organisation_id, kind, reverses) where reverses is not null;

-- The refund voucher of an advance whose payment is reversed.
alter table tax_document drop constraint tax_document_refund_kind_check;
alter table tax_document add constraint tax_document_refund_kind_check
  check (refund_kind in ('refund', 'payment reversal'));

-- Invoice that the payer of an order chose.
alter table payment add column settles text;
-- True if the payer chose to settle the oldest invoices.
alter table payment add column on_account boolean not null default false check (not on_account or settles is null);
`

const FUNCTIONS = `
-- Returns the change of the balance by an entry: positive if the customer owes more.
create function balance_change(kind text, amount bigint) returns bigint immutable parallel safe
return case when kind in ('invoice', 'refund', 'payment reversal', 'tds reversal') then amount else -amount end;

-- Reversals of invoices reduce the invoiced amount; all other kinds change the settled amount.
create or replace function update_ledger_balance() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into ledger_balance as balance
    select organisation_id,
      coalesce(sum(balance_change(kind, amount_paise)) filter (where kind in ('invoice', 'invoice reversal')), 0),
      coalesce(-sum(balance_change(kind, amount_paise)) filter (where kind not in ('invoice', 'invoice reversal')), 0)
    from added group by organisation_id order by organisation_id
  on conflict (organisation_id) do update
    set invoice_paise = balance.invoice_paise + excluded.invoice_paise,
      payment_paise = balance.payment_paise + excluded.payment_paise;
  return null;
end $$;

-- A reversal needs an entry that a user recorded. The usage that a reversed invoice covered can be invoiced again.
create function check_reversal() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from ledger_entry e where e.organisation_id = new.organisation_id
    and e.kind = replace(new.kind, ' reversal', '') and e.reference = new.reverses and e.source = 'manual') then
    raise exception 'Only a typed entry can be reversed' using errcode = 'check_violation';
  end if;
  if new.kind = 'invoice reversal' then
    delete from charged_line where organisation_id = new.organisation_id and invoice = new.reverses;
  end if;
  return new;
end $$;
create trigger ledger_entry_reversal before insert on ledger_entry for each row
  when (new.reverses is not null) execute function check_reversal();
`
