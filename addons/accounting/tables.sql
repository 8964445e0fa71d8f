-- Double-entry postings of the ledger, and certificates of deducted tax.

-- Certificate of a TDS entry that was recorded with its payment.
create table tds_certificate (
  organisation_id uuid not null,
  entry_kind text generated always as ('tds') stored not null,
  entry text not null,
  certificate text not null check (certificate = btrim(certificate) and certificate <> ''),
  recorded_by text not null,
  recorded_at timestamptz not null default portal_now(),
  constraint tds_certificate_pkey primary key (organisation_id, entry),
  constraint tds_certificate_organisation_id_entry_kind_entry_fkey foreign key (organisation_id, entry_kind, entry)
    references ledger_entry (organisation_id, kind, reference)
);

-- Account of the double-entry ledger.
create table ledger_account (
  code text primary key,
  name text not null unique,
  -- Order in the trial balance.
  place smallint not null unique
);

-- Part of an entry. Only post_entries and post_documents write postings.
create table posting (
  entry_id bigint not null,
  account text not null references ledger_account (code),
  organisation_id uuid not null,
  -- Positive for a debit.
  paise bigint not null check (paise <> 0),
  constraint posting_pkey primary key (entry_id, account),
  constraint posting_entry_id_organisation_id_fkey foreign key (entry_id, organisation_id)
    references ledger_entry (id, organisation_id)
);
create index posting_organisation on posting (organisation_id, account) include (paise);

-- Writes the postings of new entries, whose balances are updated. A second call for an entry fails, because it has
-- postings, or because its postings would not balance. The reversal of a document's entry has the opposite postings to
-- Sales, taxes, round-off and discount. The reversal of an invoice that a user entered also has, except that its sales
-- are reversed in an account of their own.
create function post_entries(ids bigint[])
returns void language sql security definer set search_path = public, pg_temp as $$
  insert into posting (entry_id, account, organisation_id, paise)
  with entry as (
    select e.id, e.organisation_id, e.kind, e.source, e.reversed_kind, e.reverses, c.change,
      coalesce(e.entered_document, (select i.entered_document from ledger_entry i where e.kind = 'invoice reversal'
        and i.kind = 'invoice' and i.organisation_id = e.organisation_id and i.reference = e.reverses)) as document,
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
    from entry where source <> 'issued' and document is null
    union all
    select id, organisation_id, posted.account,
      (document -> 'totals' ->> posted.field)::bigint * case kind when 'invoice' then -1 else 1 end
    from entry cross join lateral (values
      (case kind when 'invoice' then 'sales' else 'sales_reversals' end, 'taxablePaise'),
      ('output_cgst', 'cgstPaise'),
      (case document ->> 'localTax' when 'UTGST' then 'output_utgst' else 'output_sgst' end, 'sgstPaise'),
      ('output_igst', 'igstPaise'), ('round_off', 'roundOffPaise')) as posted (account, field)
    where document is not null
    union all
    select entry.id, entry.organisation_id, p.account, -p.paise
    from entry join ledger_entry original on original.organisation_id = entry.organisation_id
        and original.kind = entry.reversed_kind and original.reference = entry.reverses
      join posting p on p.entry_id = original.id and p.account not in ('receivable', 'advances')
    where entry.source = 'issued'
  )
  select id, account, organisation_id, paise from part where paise <> 0;
$$;
revoke execute on function post_entries(bigint[]) from public;

create function require_balanced_entry()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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

create constraint trigger ledger_entry_balanced after insert on ledger_entry deferrable initially deferred
  for each row execute function require_balanced_entry();

create constraint trigger posting_balanced after insert or delete or update on posting deferrable initially deferred
  for each row execute function require_balanced_entry();

insert into ledger_account (code, name, place) values
  ('advances', 'Advances of Customers', '2'),
  ('bad_debts', 'Bad Debts Written Off', '16'),
  ('bank', 'Bank', '3'),
  ('discount', 'Discount Allowed', '12'),
  ('input_gst', 'Input GST on Provider Fees', '18'),
  ('output_cgst', 'Output CGST', '7'),
  ('output_igst', 'Output IGST', '10'),
  ('output_sgst', 'Output SGST', '8'),
  ('output_utgst', 'Output UTGST', '9'),
  ('provider', 'Payment Provider', '4'),
  ('provider_adjustments', 'Provider Adjustments', '19'),
  ('provider_fees', 'Provider Fees', '17'),
  ('receipt_reversals', 'Receipt Reversals', '14'),
  ('receivable', 'Receivable', '1'),
  ('round_off', 'Round Off', '11'),
  ('sales', 'Sales', '6'),
  ('sales_reversals', 'Sales Reversals', '13'),
  ('tds', 'TDS Receivable', '5'),
  ('tds_reversals', 'TDS Reversals', '15');
