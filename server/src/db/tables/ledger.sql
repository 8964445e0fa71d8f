-- Accounts of the customers.

-- Amounts that organisations owe and have paid. Insert-only: a correction is a new entry.
create table ledger_entry (
  id bigint generated always as identity primary key,
  organisation_id uuid not null references organisation (id),
  kind text not null check (
      kind in ('invoice', 'payment', 'refund', 'tds', 'invoice reversal', 'payment reversal', 'tds reversal',
        'write-off')
    ),
  -- Number of the invoice, payment, refund or TDS certificate.
  reference text not null check (reference = btrim(reference) and reference <> ''),
  particular text not null,
  -- Negative for a correction.
  amount_paise bigint not null check (amount_paise <> 0),
  -- YYYY-MM-DD.
  date date not null,
  -- 'issued': the portal issued the tax document of the entry.
  source text not null check (source in ('manual', 'provider', 'issued')),
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  -- Number of the refunded payment.
  refund_of text,
  -- Only TDS entries have section, year and quarter.
  tds_section text check (tds_section ~ '^[0-9A-Za-z() .,/-]{1,20}$'),
  -- April to March, such as '26-27'.
  tds_year text check (
      tds_year ~ '^[0-9]{2}-[0-9]{2}$'
      and (mod((("left"(tds_year, 2))::integer + 1), 100) = ("right"(tds_year, 2))::integer)
    ),
  -- 1 is the quarter that begins in April.
  tds_quarter smallint check (tds_quarter >= 1 and tds_quarter <= 4),
  -- Number of the recorded entry that a reversal cancels.
  reverses text,
  reversed_kind text generated always as (case kind
    when 'invoice reversal' then 'invoice'
    when 'payment reversal' then 'payment'
    when 'tds reversal' then 'tds'
    else null::text
end) stored,
  -- Number of the invoice that a receipt or a write-off settles.
  settles text,
  settled_kind text generated always as (case
    when (settles is null) then null::text
    else 'invoice'
end) stored,
  -- Payment from which the tax of a TDS entry was deducted.
  deducted_from text,
  deducted_kind text generated always as (case
    when (deducted_from is null) then null::text
    else 'payment'
end) stored,
  -- Invoice as a tax document, if a user entered its tax.
  entered_document jsonb,
  constraint ledger_entry_check check ((kind = 'refund') = (refund_of is not null)),
  constraint ledger_entry_check1 check (kind <> 'refund' or amount_paise > 0),
  constraint ledger_entry_tds check (
      case
    when kind = 'tds' then (tds_section is not null and tds_year is not null and tds_quarter is not null
        and amount_paise > 0)
    else (tds_section is null and tds_year is null and tds_quarter is null)
end
    ),
  constraint ledger_entry_organisation_id_kind_reference_key unique (organisation_id, kind, reference),
  constraint ledger_entry_organisation_id_kind_reference_amount_paise_key unique (organisation_id, kind, reference,
    amount_paise),
  constraint ledger_entry_typed_number check (
      source <> 'manual'
      or kind not in ('invoice', 'payment')
      or (replace(comparison_key(reference), ' ',
        '') !~ '^[a-z0-9]{1,4}[/\u2044\u2215\u29F8][0-9]{2}-[0-9]{2}[/\u2044\u2215\u29F8][0-9]{5}$')
    ),
  constraint ledger_entry_check2 check ((reversed_kind is null) = (reverses is null)),
  constraint ledger_entry_check4 check (
      kind <> 'write-off'
      or settles is not null and amount_paise > 0 and source = 'manual'
    ),
  constraint ledger_entry_check5 check (settles is null or kind in ('payment', 'tds', 'write-off')),
  constraint ledger_entry_check6 check (deducted_from is null or kind = 'tds'),
  constraint ledger_entry_id_organisation_id_key unique (id, organisation_id),
  constraint ledger_entry_reversal check (
      reversed_kind is null
      or source in ('manual', 'issued') and amount_paise <> 0
    ),
  constraint ledger_entry_check3 check (
      entered_document is null
      or (kind = 'invoice' and source = 'manual'
        and (((entered_document #>> '{totals,totalPaise}'::text[]))::bigint = amount_paise)
        and ((entered_document ->> 'number') = reference))
    ),
  constraint ledger_entry_organisation_id_reversed_kind_reverses_amount_fkey foreign key (organisation_id, reversed_kind, reverses, amount_paise)
    references ledger_entry (organisation_id, kind, reference, amount_paise),
  constraint ledger_entry_organisation_id_settled_kind_settles_fkey foreign key (organisation_id, settled_kind, settles)
    references ledger_entry (organisation_id, kind, reference),
  constraint ledger_entry_organisation_id_deducted_kind_deducted_from_fkey foreign key (organisation_id, deducted_kind, deducted_from)
    references ledger_entry (organisation_id, kind, reference)
);
create unique index ledger_entry_deducted on ledger_entry (organisation_id, deducted_from) where deducted_from is
  not null;
create index ledger_entry_entered_document on ledger_entry (date) where entered_document is not null;
create index ledger_entry_key on ledger_entry (organisation_id, kind, comparison_key(reference));
create index ledger_entry_online on ledger_entry (date) where source = 'provider';
create index ledger_entry_organisation on ledger_entry (organisation_id, date, id) include (kind, amount_paise,
  particular, reference);
create unique index ledger_entry_provider on ledger_entry (reference) where source = 'provider';
create index ledger_entry_refund on ledger_entry (refund_of) where refund_of is not null;
create unique index ledger_entry_reversed on ledger_entry (organisation_id, kind, reverses) where reverses is
  not null;

-- Name of a customer's ledger in bookkeeping programs.
create table customer_ledger (
  organisation_id uuid primary key references organisation (id),
  name text not null check (name <> '' and length(name) <= 200)
);
create unique index customer_ledger_name on customer_ledger (comparison_key(name));

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

-- Sums of ledger_entry, maintained by post_entries.
create table ledger_balance (
  organisation_id uuid primary key references organisation (id),
  invoice_paise bigint not null,
  -- Sum of payments and TDS minus refunds.
  payment_paise bigint not null
);

-- Returns by how many paise an entry changes what a customer owes.
create function balance_change(kind text, amount bigint) returns bigint immutable parallel safe
return case when kind in ('invoice', 'refund', 'payment reversal', 'tds reversal') then amount else -amount end;

-- A reversal needs an entry that a user recorded, or a cancelled document. The reversal of a document has the date of
-- the document, because a cancelled document counts as never issued. The usage of a reversed invoice can be invoiced
-- again; usage that the invoice took over from earlier months is carried forward again.
create function check_reversal()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare document tax_document;
begin
  if new.source = 'issued' then
    select d.* into document from tax_document d
        join e_invoice_cancellation c on c.document_id = d.id
      where d.organisation_id = new.organisation_id and d.number = new.reverses
        and d.entry_kind = replace(new.kind, ' reversal', '') and d.issued_on = new.date;
    if not found then
      raise exception 'Only a cancelled document can be reversed, on its date' using errcode = 'check_violation';
    end if;
  elsif not exists (select from ledger_entry e where e.organisation_id = new.organisation_id
    and e.kind = replace(new.kind, ' reversal', '') and e.reference = new.reverses and e.source = 'manual') then
    raise exception 'Only a typed entry can be reversed' using errcode = 'check_violation';
  end if;
  if new.kind = 'invoice reversal' then
    insert into carried_month (organisation_id, month)
      select distinct organisation_id, month from charged_line
      where organisation_id = new.organisation_id and invoice = new.reverses and month < document.month
      on conflict do nothing;
    delete from charged_line where organisation_id = new.organisation_id and invoice = new.reverses;
  end if;
  return new;
end $$;

create function check_write_off()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from tax_document where organisation_id = new.organisation_id and number = new.settles for no key update;
  if exists (select from tax_document d join e_invoice_cancellation c on c.document_id = d.id
    where d.organisation_id = new.organisation_id and d.number = new.settles) then
    raise exception '% is cancelled', new.settles using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Returns whether an entry changes the invoiced amount; the others change what is received.
create function is_invoiced(kind text, source text) returns boolean immutable parallel safe
return source = 'issued' or kind in ('invoice', 'invoice reversal', 'write-off');

-- A refund reduces the credit that the payment bought.
create function judge_prepaid_accounts()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update prepaid_account set judge_at = portal_now() where organisation_id = new.organisation_id;
  return null;
end $$;

-- Adds new entries to the balances and writes their postings. A second call for an entry fails, because it has postings.
-- Reversals of invoices reduce the invoiced amount; all other kinds change the settled amount. The balances are locked
-- first, so that concurrent entries of a customer are posted one after the other. The reversal of a document's entry has
-- the opposite postings to Sales, taxes, round-off and discount. The reversal of an invoice that a user entered also has,
-- except that its sales are reversed in an account of their own.
create function post_entries(ids bigint[])
returns void language sql security definer set search_path = public, pg_temp as $$
  insert into ledger_balance as balance
    select organisation_id,
      coalesce(sum(balance_change(kind, amount_paise)) filter (where is_invoiced(kind, source)), 0),
      coalesce(-sum(balance_change(kind, amount_paise)) filter (where not is_invoiced(kind, source)), 0)
    from ledger_entry where id = any(ids) group by organisation_id order by organisation_id
  on conflict (organisation_id) do update
    set invoice_paise = balance.invoice_paise + excluded.invoice_paise,
      payment_paise = balance.payment_paise + excluded.payment_paise;
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

create trigger ledger_entry_returned after insert on ledger_entry for each row
  when (new.kind in ('refund', 'payment reversal'))
  execute function judge_prepaid_accounts();

create trigger ledger_entry_reversal before insert on ledger_entry for each row
  when (new.reverses is not null)
  execute function check_reversal();

create trigger ledger_entry_write_off before insert on ledger_entry for each row
  when (new.kind = 'write-off')
  execute function check_write_off();

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
