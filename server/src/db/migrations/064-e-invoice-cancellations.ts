import { type Kysely, sql } from 'kysely'

/**
 * Adds cancellations of e-invoice registrations. A confirmed cancellation reverses the ledger entry of its document, and
 * its month can be invoiced again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(CANCELLATIONS).execute(db)
  await sql.raw(RULES).execute(db)
  await sql.raw(LEDGER).execute(db)
  await sql.raw(MONTHS).execute(db)
}

const CANCELLATIONS = `
create table e_invoice_cancellation (
  document_id uuid primary key references tax_document_registration (document_id),
  -- 'refused': the document remains valid.
  state text not null default 'cancelling' check (state in ('cancelling', 'cancelled', 'refused')),
  reason text not null check (reason in ('duplicate', 'data entry mistake', 'order cancelled', 'other')),
  -- Without a maximum length, because the pseudonym of an erased person can be longer than the address.
  remark text not null check (char_length(remark) >= 3),
  requested_by text not null,
  requested_at timestamptz not null default portal_now(),
  attempts integer not null default 0 check (attempts >= 0),
  next_at timestamptz not null default portal_now(),
  last_error text check (length(last_error) between 1 and 1200),
  -- Time of the portal's confirmation or refusal.
  ended_at timestamptz,
  -- Pages of the document, marked as cancelled.
  pdf bytea,
  check ((state = 'cancelling') = (ended_at is null)),
  check ((state = 'cancelled') = (pdf is not null)),
  check (state <> 'refused' or last_error is not null)
);
create index e_invoice_cancellation_due on e_invoice_cancellation (next_at) where state = 'cancelling';
`

const RULES = `
-- Returns the number of the newest valid note that must be cancelled before a document: a note of the document, or a
-- later note of the same invoice, whose tax depends on the earlier notes.
create function note_that_depends_on(document uuid) returns text
language sql stable set search_path = public, pg_temp as $$
  select n.number from tax_document d
    join ledger_entry e on e.organisation_id = d.organisation_id and e.kind = d.entry_kind and e.reference = d.number
    join tax_document n on n.of_document = coalesce(d.of_document, d.id)
    join ledger_entry later on later.organisation_id = n.organisation_id and later.kind = n.entry_kind
      and later.reference = n.number and later.id > e.id
  where d.id = document and not exists (select from e_invoice_cancellation c
    where c.document_id = n.id and c.state = 'cancelled')
  order by later.id desc limit 1
$$;

-- The row of the invoice is locked, like by limit_corrections, so that a note is not issued at the same time.
create function check_e_invoice_cancellation() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare document tax_document; dependent text;
begin
  if new.state <> 'cancelling' then
    raise exception 'A cancellation begins with a request' using errcode = 'check_violation';
  end if;
  select * into document from tax_document where id = new.document_id;
  perform from tax_document where id = coalesce(document.of_document, document.id) for no key update;
  dependent := note_that_depends_on(new.document_id);
  if dependent is not null then
    raise exception 'Cancel % before %', dependent, document.number using errcode = 'check_violation';
  end if;
  if exists (select from ledger_entry where organisation_id = document.organisation_id and kind = 'write-off'
    and settles = document.number) then
    raise exception '% is written off', document.number using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger e_invoice_cancellation_request before insert on e_invoice_cancellation for each row
  execute function check_e_invoice_cancellation();

create function protect_e_invoice_cancellation() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'A cancellation is not deleted' using errcode = 'check_violation';
  end if;
  if (new.document_id, new.reason, new.requested_at) is distinct from (old.document_id, old.reason, old.requested_at)
    or (not is_erasing('e_invoice_cancellation'::regclass) and (new.remark, new.requested_by) is distinct from (old.remark, old.requested_by))
    or (old.state <> 'cancelling' and (new.state, new.ended_at, new.pdf, new.last_error)
      is distinct from (old.state, old.ended_at, old.pdf, old.last_error)) then
    raise exception 'A cancellation does not change' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger e_invoice_cancellation_forward before update or delete on e_invoice_cancellation for each row
  execute function protect_e_invoice_cancellation();

create function require_reversed_entry() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from tax_document d join ledger_entry r on r.organisation_id = d.organisation_id
    and r.kind = d.entry_kind || ' reversal' and r.reverses = d.number where d.id = new.document_id) then
    raise exception 'The entry of a cancelled document must be reversed' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger e_invoice_cancellation_reversed after update on e_invoice_cancellation
  deferrable initially deferred for each row when (new.state = 'cancelled') execute function require_reversed_entry();

-- A cancelled note does not count. A document that is being cancelled, or whose note is being cancelled, gets no notes.
create or replace function limit_corrections() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare original tax_document; corrected record;
begin
  select * into original from tax_document where id = new.of_document for no key update;
  if (new.kind, original.kind) not in (('credit note', 'invoice'), ('financial credit note', 'invoice'),
    ('debit note', 'invoice'), ('refund voucher', 'receipt voucher')) then
    raise exception 'A % cannot correct a %', new.kind, original.kind using errcode = 'check_violation';
  end if;
  if exists (select from e_invoice_cancellation c join tax_document d on d.id = c.document_id
    where (d.id = original.id and c.state <> 'refused') or (d.of_document = original.id and c.state = 'cancelling')) then
    raise exception '% or a note of it is being cancelled', original.number using errcode = 'check_violation';
  end if;
  if new.kind = 'debit note' then return new; end if;
  if original.kind = 'invoice' and (new.kind = 'financial credit note') <> (new.issued_on >
    make_date(extract(year from original.issued_on - interval '3 months')::int + 1, 11, 30)) then
    raise exception 'A % is not possible on %', new.kind, new.issued_on using errcode = 'check_violation';
  end if;
  select coalesce(sum(sign * taxable_paise), 0) as taxable, coalesce(sum(sign * cgst_paise), 0) as cgst,
    coalesce(sum(sign * igst_paise), 0) as igst, coalesce(sum(sign * total_paise), 0) as total
    into corrected
    from (select *, case kind when 'debit note' then -1 else 1 end as sign from tax_document n
      where of_document = new.of_document and not exists (select from e_invoice_cancellation c
        where c.document_id = n.id and c.state = 'cancelled')) as notes;
  if corrected.taxable + new.taxable_paise > original.taxable_paise
    or corrected.cgst + new.cgst_paise > original.cgst_paise
    or corrected.igst + new.igst_paise > original.igst_paise
    or corrected.total + new.total_paise > original.total_paise then
    raise exception 'Corrections exceed the amounts of %', original.number using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function check_write_off() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from tax_document where organisation_id = new.organisation_id and number = new.settles for no key update;
  if exists (select from tax_document d join e_invoice_cancellation c on c.document_id = d.id and c.state <> 'refused'
    where d.organisation_id = new.organisation_id and d.number = new.settles) then
    raise exception '% is being cancelled', new.settles using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger ledger_entry_write_off before insert on ledger_entry for each row
  when (new.kind = 'write-off') execute function check_write_off();
`

const LEDGER = `
alter table ledger_entry drop constraint ledger_entry_check3;
alter table ledger_entry add constraint ledger_entry_reversal
  check (reversed_kind is null or (source in ('manual', 'issued') and amount_paise <> 0));

-- A reversal needs an entry that a user recorded, or a cancelled document. The reversal of a document has the date of
-- the document, because a cancelled document counts as never issued. The usage of a reversed invoice can be invoiced
-- again; usage that the invoice took over from earlier months is carried forward again.
create or replace function check_reversal() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare document tax_document;
begin
  if new.source = 'issued' then
    select d.* into document from tax_document d
        join e_invoice_cancellation c on c.document_id = d.id and c.state = 'cancelled'
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

-- The reversal of a document's entry has the opposite postings to Sales, taxes, round-off and discount.
create or replace function post_entries(ids bigint[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into posting (entry_id, account, organisation_id, paise)
  with entry as (
    select e.id, e.organisation_id, e.kind, e.source, e.reversed_kind, e.reverses, c.change,
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
    union all
    select entry.id, entry.organisation_id, p.account, -p.paise
    from entry join ledger_entry original on original.organisation_id = entry.organisation_id
        and original.kind = entry.reversed_kind and original.reference = entry.reverses
      join posting p on p.entry_id = original.id and p.account not in ('receivable', 'advances')
    where entry.source = 'issued'
  )
  select id, account, organisation_id, paise from part where paise <> 0
$$;

create or replace function record_entry_event_of(entry ledger_entry) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  event_type text := case
    when entry.source = 'issued' and entry.reverses is not null then 'invoice.reversed'
    else case entry.kind when 'invoice' then 'invoice.issued' when 'invoice reversal' then 'invoice.reversed'
      when 'payment' then case entry.source when 'issued' then 'invoice.credited' else 'payment.received' end
      when 'refund' then 'payment.refunded' when 'payment reversal' then 'payment.reversed' end end;
begin
  if event_type is null then return; end if;
  perform record_webhook_event(entry.organisation_id, event_type, 'account:' || entry.organisation_id,
    jsonb_build_object('number', entry.reference, 'amountPaise', entry.amount_paise, 'date', entry.date,
      'refersTo', coalesce(entry.refund_of, entry.reverses, entry.settles)));
end $$;

-- The event of a document's entry is written when the document is written.
create or replace function record_entry_event() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if new.source <> 'issued' or new.reverses is not null then perform record_entry_event_of(new); end if;
  return null;
end $$;
`

const MONTHS = `
-- 1 for the first invoice of a month, 2 for the invoice after a cancelled one. Set by the trigger.
alter table tax_document add column month_issue smallint not null default 1 check (month_issue > 0);
alter table tax_document drop constraint tax_document_organisation_id_month_key;
alter table tax_document add unique (organisation_id, month, month_issue);

create function number_issue_of_month() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare valid text;
begin
  select number into valid from tax_document d
    where organisation_id = new.organisation_id and month = new.month
      and not exists (select from e_invoice_cancellation c where c.document_id = d.id and c.state = 'cancelled');
  if found then
    raise exception '% is the invoice of this month', valid using errcode = 'unique_violation';
  end if;
  select count(*) + 1 into new.month_issue from tax_document
    where organisation_id = new.organisation_id and month = new.month;
  return new;
end $$;
create trigger tax_document_month before insert on tax_document for each row
  when (new.month is not null) execute function number_issue_of_month();
`
