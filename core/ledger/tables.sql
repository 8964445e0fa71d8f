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

-- Sums of ledger_entry, maintained by update_balances.
create table ledger_balance (
  organisation_id uuid primary key references organisation (id),
  invoice_paise bigint not null,
  -- Sum of payments and TDS minus refunds.
  payment_paise bigint not null
);

-- Returns by how many paise an entry changes what a customer owes.
create function balance_change(kind text, amount bigint) returns bigint immutable parallel safe
return case when kind in ('invoice', 'refund', 'payment reversal', 'tds reversal') then amount else -amount end;

-- Returns whether an entry changes the invoiced amount; the others change what is received.
create function is_invoiced(kind text, source text) returns boolean immutable parallel safe
return source = 'issued' or kind in ('invoice', 'invoice reversal', 'write-off');

-- A user reverses only an entry that a user recorded.
create function check_reversal()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from ledger_entry e where e.organisation_id = new.organisation_id
    and e.kind = replace(new.kind, ' reversal', '') and e.reference = new.reverses and e.source = 'manual') then
    raise exception 'Only a typed entry can be reversed' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Updates the balances after new entries. A repeated call changes nothing. The balances are locked first, so that each
-- sum contains the concurrent entries of a customer that were committed before it.
create function update_balances(entries bigint[])
returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare organisations uuid[] := array(select distinct organisation_id from ledger_entry where id = any(entries) order by 1);
begin
  insert into ledger_balance select unnest(organisations), 0, 0 on conflict do nothing;
  perform from ledger_balance where organisation_id = any(organisations) order by organisation_id for update;
  update ledger_balance as balance set invoice_paise = summed.invoiced, payment_paise = summed.paid
  from (
    select organisation_id,
      coalesce(sum(balance_change(kind, amount_paise)) filter (where is_invoiced(kind, source)), 0) as invoiced,
      coalesce(-sum(balance_change(kind, amount_paise)) filter (where not is_invoiced(kind, source)), 0) as paid
    from ledger_entry where organisation_id = any(organisations) group by organisation_id) as summed
  where summed.organisation_id = balance.organisation_id;
end $$;
revoke execute on function update_balances(bigint[]) from public;

create trigger ledger_entry_reversal before insert on ledger_entry for each row
  when (new.reverses is not null and new.source <> 'issued')
  execute function check_reversal();
