import { type Kysely, sql } from 'kysely'

/**
 * Adds double-entry postings for the ledger. Each entry has postings to accounts whose debits and credits balance.
 * Existing entries get postings too. The migration fails if any balance would differ by a paisa.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
  await sql.raw(FUNCTIONS).execute(db)
  await sql.raw(EXISTING).execute(db)
  await sql.raw(TRIGGERS).execute(db)
}

const TABLES = `
create table ledger_account (
  code text primary key,
  name text not null unique,
  -- Order in the trial balance.
  place smallint not null unique
);
insert into ledger_account values
  ('receivable', 'Receivable', 1), ('advances', 'Advances of Customers', 2), ('bank', 'Bank', 3),
  ('provider', 'Payment Provider', 4), ('tds', 'TDS Receivable', 5), ('sales', 'Sales', 6),
  ('output_cgst', 'Output CGST', 7), ('output_sgst', 'Output SGST', 8), ('output_utgst', 'Output UTGST', 9),
  ('output_igst', 'Output IGST', 10), ('round_off', 'Round Off', 11), ('discount', 'Discount Allowed', 12),
  ('sales_reversals', 'Sales Reversals', 13), ('receipt_reversals', 'Receipt Reversals', 14),
  ('tds_reversals', 'TDS Reversals', 15), ('bad_debts', 'Bad Debts Written Off', 16);

alter table ledger_entry add unique (id, organisation_id);

-- Postings of entries. Only triggers write them.
create table posting (
  entry_id bigint not null,
  account text not null references ledger_account (code),
  organisation_id uuid not null,
  -- Positive for a debit.
  paise bigint not null check (paise <> 0),
  primary key (entry_id, account),
  foreign key (entry_id, organisation_id) references ledger_entry (id, organisation_id)
);
create index posting_organisation on posting (organisation_id, account) include (paise);
`

const FUNCTIONS = `
-- Posts entries whose change is already part of ledger_balance. The amount that a customer owes is posted to
-- Receivable, and the amount that a customer has paid in advance to Advances. The balance before the entry determines
-- which. The other side of a document's entry is posted by post_documents.
create function post_entries(ids bigint[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into posting (entry_id, account, organisation_id, paise)
  with entry as (
    select e.id, e.organisation_id, e.kind, e.source, c.change,
      b.invoice_paise - b.payment_paise - sum(c.change) over (partition by e.organisation_id)
        + sum(c.change) over (partition by e.organisation_id order by e.id) as after
    from ledger_entry e join ledger_balance b using (organisation_id)
      cross join lateral (select balance_change(e.kind, e.amount_paise) as change) as c
    where e.id = any(ids)
  ), part as (
    select id, organisation_id, 'receivable' as account, greatest(after, 0) - greatest(after - change, 0) as paise
    from entry
    union all
    select id, organisation_id, 'advances', least(after, 0) - least(after - change, 0) from entry
    union all
    select id, organisation_id, case kind
      when 'invoice' then 'sales'
      when 'tds' then 'tds'
      when 'invoice reversal' then 'sales_reversals'
      when 'payment reversal' then 'receipt_reversals'
      when 'tds reversal' then 'tds_reversals'
      when 'write-off' then 'bad_debts'
      else case source when 'provider' then 'provider' else 'bank' end end, -change
    from entry where source <> 'issued'
  )
  select id, account, organisation_id, paise from part where paise <> 0
$$;

-- Posts the side of documents that does not belong to the customer.
create function post_documents(ids uuid[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into posting (entry_id, account, organisation_id, paise)
  select e.id, part.account, e.organisation_id, part.paise * case d.kind when 'invoice' then -1 else 1 end
  from tax_document d join ledger_entry e on e.organisation_id = d.organisation_id and e.kind = d.entry_kind
      and e.reference = d.number and e.source = 'issued'
    cross join lateral (values
      (case d.kind when 'financial credit note' then 'discount' else 'sales' end, d.taxable_paise),
      ('output_cgst', d.cgst_paise),
      (case d.content->>'localTax' when 'UTGST' then 'output_utgst' else 'output_sgst' end, d.sgst_paise),
      ('output_igst', d.igst_paise),
      ('round_off', d.round_off_paise)) as part (account, paise)
  where d.id = any(ids) and part.paise <> 0
$$;

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
  -- The balances are locked now, so that concurrent entries of a customer are posted one after the other.
  perform post_entries(array(select id from added));
  return null;
end $$;

create function post_added_documents() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform post_documents(array(select id from added where entry_kind is not null));
  return null;
end $$;

create function require_balanced_entry() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare entry bigint; total numeric; parts integer;
begin
  if tg_table_name = 'ledger_entry' then entry := new.id;
  elsif tg_op = 'DELETE' then entry := old.entry_id;
  else entry := new.entry_id; end if;
  select coalesce(sum(paise), 0), count(*) into total, parts from posting where entry_id = entry;
  if total <> 0 or parts < 2 then
    raise exception 'Debits and credits of the entry % differ by % paise', entry, total using errcode = 'check_violation';
  end if;
  return null;
end $$;
`

const EXISTING = `
revoke execute on function post_entries(bigint[]), post_documents(uuid[]) from public;
select post_entries(array(select id from ledger_entry));
select post_documents(array(select id from tax_document where entry_kind is not null));
do $$
declare wrong text;
begin
  select string_agg(e.reference, ', ') into wrong from ledger_entry e
    left join (select entry_id, sum(paise) as total, count(*) as parts from posting group by entry_id) p on p.entry_id = e.id
    where coalesce(p.total, 1) <> 0 or p.parts < 2;
  if wrong is not null then raise exception 'These entries cannot be posted: %', left(wrong, 500); end if;
  select string_agg(b.organisation_id::text, ', ') into wrong from ledger_balance b
    left join (select organisation_id, sum(paise) as total from posting where account in ('receivable', 'advances')
      group by organisation_id) p using (organisation_id)
    where b.invoice_paise - b.payment_paise <> coalesce(p.total, 0);
  if wrong is not null then raise exception 'The postings of these organisations differ from their balance: %', left(wrong, 500);
  end if;
end $$;
`

const TRIGGERS = `
create trigger tax_document_posted after insert on tax_document referencing new table as added
  for each statement execute function post_added_documents();
create constraint trigger ledger_entry_balanced after insert on ledger_entry deferrable initially deferred
  for each row execute function require_balanced_entry();
create constraint trigger posting_balanced after insert or update or delete on posting deferrable initially deferred
  for each row execute function require_balanced_entry();
`
