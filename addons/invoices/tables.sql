-- Tax documents and what they need.

-- The operator of the installation, who issues the documents. One row.
create table supplier (
  single boolean default true primary key check (single),
  legal_name text,
  gstin text check (gstin ~ '^[0-9]{2}[0-9A-Z]{13}$'),
  address_line1 text,
  address_line2 text,
  city text,
  pin text check (pin ~ '^[1-9][0-9]{5}$'),
  state text check (state ~ '^[0-9]{2}$'),
  email text,
  phone text,
  bank_name text,
  account_name text,
  account_number text,
  ifsc text,
  signatory text,
  sac text not null default '998315' check (sac ~ '^99([0-9]{2}|[0-9]{4})$'),
  invoice_prefix text not null default 'INV' check (invoice_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
  credit_note_prefix text not null default 'CRN' check (credit_note_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
  receipt_prefix text not null default 'RCV' check (receipt_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
  issuing text not null default 'approval' check (issuing in ('approval', 'automatic')),
  issue_day smallint not null default 3 check (issue_day >= 2 and issue_day <= 28),
  -- YYYY-MM-01.
  first_month date check (extract(day from first_month) = (1)::numeric),
  reminders text not null default 'off' check (reminders in ('off', 'on')),
  -- Days from the date of an invoice until it is due.
  payment_days smallint not null default 15 check (payment_days >= 0 and payment_days <= 180),
  -- Days after the due date on which reminders are sent.
  reminder_days smallint[] not null default '{3,10,20}'::smallint[] check (
      (cardinality(reminder_days) >= 1 and cardinality(reminder_days) <= 5)
      and (1 <= all (reminder_days))
      and (365 >= all (reminder_days))
    ),
  refund_prefix text not null default 'RFV' check (refund_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
  -- First day whose payments get receipt vouchers; null: no payment gets one.
  vouchers_from date,
  turnover text not null default 'up to 5' check (turnover in ('up to 5', '5 to 10', '10 or more')),
  financial_note_prefix text not null default 'FCN' check (financial_note_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
  cin text check (cin ~ '^[LU][0-9]{5}[A-Z]{2}[0-9]{4}[A-Z]{3}[0-9]{6}$'),
  warn_days integer check (warn_days >= 0 and warn_days <= 365),
  hold_days integer check (hold_days >= 0 and hold_days <= 365),
  stop_days integer check (stop_days >= 0 and stop_days <= 365),
  debit_note_prefix text not null default 'DBN' check (debit_note_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
  constraint supplier_check check (
      invoice_prefix <> credit_note_prefix
      and invoice_prefix <> receipt_prefix
      and credit_note_prefix <> receipt_prefix
    ),
  constraint supplier_check1 check (
      (refund_prefix <> invoice_prefix and refund_prefix <> credit_note_prefix)
      and refund_prefix <> receipt_prefix
    ),
  constraint supplier_overdue check (
      coalesce(warn_days, 0) <= coalesce(hold_days, stop_days, 365)
      and coalesce(hold_days, 0) <= coalesce(stop_days, 365)
    )
);

-- Rates of GST with the day from which each applies.
create table tax_rate (
  valid_from date primary key,
  -- Hundredths of a per cent.
  basis_points integer not null check (basis_points >= 0 and basis_points <= 10000)
);

-- Undertaking (LUT) for exports and SEZ supplies without tax. It is valid for one financial year, such as '26-27'.
create table undertaking (
  -- April to March, such as '26-27'.
  financial_year text primary key check (
      financial_year ~ '^[0-9]{2}-[0-9]{2}$'
      and (mod((("left"(financial_year, 2))::integer + 1), 100) = ("right"(financial_year, 2))::integer)
    ),
  -- Reference number.
  number text not null check (number = btrim(number) and number <> '')
);

-- An organisation's details as a customer.
create table organisation_billing (
  organisation_id uuid primary key references organisation (id),
  legal_name text,
  place text not null default 'india' check (place in ('india', 'sez', 'abroad')),
  address_line1 text,
  address_line2 text,
  city text,
  pin text check (pin ~ '^[1-9][0-9]{5}$'),
  state text check (state ~ '^[0-9]{2}$'),
  country text check (country ~ '^[A-Z]{2}$'),
  emails text[] not null default '{}'::text[],
  purchase_order text,
  cost_centre text,
  -- True if the list of usage names the learners.
  list_learners boolean not null default false
);

-- Changes of the tax status with their first day. Before the first change, organisation.gst and
-- organisation_billing.place are the status.
create table tax_status (
  organisation_id uuid not null references organisation (id),
  -- YYYY-MM-DD.
  valid_from date not null,
  place text not null check (place in ('india', 'sez', 'abroad')),
  gstin text check (gstin ~ '^[0-9]{2}[0-9A-Z]{13}$'),
  reason text not null,
  request_id uuid,
  decided_by text not null,
  decided_at timestamptz not null default portal_now(),
  constraint tax_status_check check (place <> 'abroad' or gstin is null),
  constraint tax_status_check1 check (place <> 'sez' or gstin is not null),
  constraint tax_status_pkey primary key (organisation_id, valid_from)
);

-- A customer's request to change its tax status, with evidence, until the supplier decides.
create table tax_status_request (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  place text not null check (place in ('india', 'sez', 'abroad')),
  gstin text check (gstin ~ '^[0-9]{2}[0-9A-Z]{13}$'),
  -- YYYY-MM-DD.
  valid_from date not null,
  reason text not null,
  document_name text not null,
  document_type text not null check (document_type in ('application/pdf', 'image/png', 'image/jpeg')),
  -- null once the document of a withdrawn request is deleted.
  document bytea check (octet_length(document) >= 1 and octet_length(document) <= 716800),
  -- E-mail address of the user who made the request.
  asked_by text not null,
  asked_at timestamptz not null default portal_now(),
  state text not null default 'open' check (state in ('open', 'approved', 'rejected', 'withdrawn')),
  decided_by text,
  decided_at timestamptz,
  -- Reason of a rejection.
  answer text,
  constraint tax_status_request_check check (place <> 'abroad' or gstin is null),
  constraint tax_status_request_check1 check (place <> 'sez' or gstin is not null),
  constraint tax_status_request_check2 check (
      ((state = 'open') = (decided_by is null))
      and ((decided_by is null) = (decided_at is null))
    ),
  constraint tax_status_request_check3 check ((state = 'rejected') = (answer is not null)),
  constraint tax_status_request_id_organisation_id_key unique (id, organisation_id),
  constraint tax_status_request_check4 check (document is not null or state = 'withdrawn')
);
create index tax_status_request_newest on tax_status_request (organisation_id, asked_at desc);
create unique index tax_status_request_open on tax_status_request (organisation_id) where state = 'open';
create index tax_status_request_withdrawn on tax_status_request (decided_at) where state = 'withdrawn'
  and document is not null;

-- Issued documents. Insert-only, with consecutive numbers: see advance_document_series.
create table tax_document (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  kind text not null check (
      kind in ('invoice', 'credit note', 'debit note', 'receipt voucher', 'refund voucher', 'financial credit note')
    ),
  supplier_gstin text not null check (supplier_gstin ~ '^[0-9]{2}[0-9A-Z]{13}$'),
  prefix text not null check (prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
  -- Financial year from April to March, such as '26-27'.
  financial_year text not null,
  serial integer not null check (serial >= 1 and serial <= 99999),
  number text generated always as ((((prefix || '/') || financial_year) || '/') || lpad((serial)::text, 5, '0')) stored not null unique check (
      char_length(number) <= 16
    ),
  issued_on date not null,
  -- Month that a monthly invoice bills.
  month date check (extract(day from month) = (1)::numeric),
  -- The invoice that a credit note corrects, or the receipt voucher of a refund voucher.
  of_document uuid,
  -- The payment of a receipt voucher.
  payment text,
  taxable_paise bigint not null check (taxable_paise > 0),
  cgst_paise bigint not null check (cgst_paise >= 0),
  sgst_paise bigint not null,
  igst_paise bigint not null,
  round_off_paise bigint not null,
  total_paise bigint not null check (total_paise > 0),
  -- The document as issued: its text, its form for the e-invoice portal (null for vouchers), and its PDF.
  content jsonb not null,
  e_invoice jsonb,
  pdf bytea not null,
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  paid_kind text generated always as (case kind
    when 'receipt voucher' then 'payment'
    else null::text
end) stored,
  -- The refund of a refund voucher.
  refund text,
  refund_kind text check (refund_kind in ('refund', 'payment reversal')),
  needs_registration boolean not null default false,
  -- Only invoices and debit notes have a due date.
  due_on date,
  -- Kinds of the ledger entries that the foreign keys below refer to. A voucher has no entry, because its payment or
  -- refund has an entry.
  entry_kind text generated always as (case
    when (kind in ('invoice',
    'debit note')) then 'invoice'
    when (kind in ('credit note',
    'financial credit note')) then 'payment'
    else null::text
end) stored,
  -- 1 for the first invoice of a month, 2 for the invoice after a cancelled one.
  month_issue smallint not null default 1 check (month_issue > 0),
  constraint tax_document_check check (sgst_paise = cgst_paise),
  constraint tax_document_check1 check (igst_paise >= 0 and (igst_paise = 0 or cgst_paise = 0)),
  constraint tax_document_check2 check (
      total_paise = ((((taxable_paise + cgst_paise) + sgst_paise) + igst_paise) + round_off_paise)
    ),
  constraint tax_document_check5 check ((kind = 'receipt voucher') = (payment is not null)),
  constraint tax_document_check7 check (
      financial_year = ((to_char((issued_on - '3 mons'::interval),
        'YY') || '-') || to_char((issued_on + '9 mons'::interval), 'YY'))
    ),
  constraint tax_document_check8 check (
      ((kind = 'refund voucher') = (refund is not null))
      and ((refund is null) = (refund_kind is null))
    ),
  constraint tax_document_supplier_gstin_prefix_financial_year_serial_key unique (supplier_gstin, prefix,
    financial_year, serial),
  constraint tax_document_id_organisation_id_key unique (id, organisation_id),
  constraint tax_document_organisation_id_payment_key unique (organisation_id, payment),
  constraint tax_document_organisation_id_refund_key unique (organisation_id, refund),
  constraint tax_document_untaxed check (
      kind <> 'financial credit note'
      or cgst_paise = 0 and igst_paise = 0 and (not needs_registration)
    ),
  constraint tax_document_month check (month is null or kind = 'invoice'),
  constraint tax_document_corrects check (
      (kind in ('credit note', 'debit note', 'refund voucher', 'financial credit note')) = (of_document is not null)
    ),
  constraint tax_document_e_invoice check (
      (kind in ('invoice', 'credit note', 'debit note')) = (e_invoice is not null)
    ),
  constraint tax_document_due check (
      ((kind in ('invoice', 'debit note')) = (due_on is not null))
      and due_on >= issued_on
    ),
  constraint tax_document_organisation_id_month_month_issue_key unique (organisation_id, month, month_issue),
  constraint tax_document_of_document_organisation_id_fkey foreign key (of_document, organisation_id)
    references tax_document (id, organisation_id),
  constraint tax_document_organisation_id_paid_kind_payment_fkey foreign key (organisation_id, paid_kind, payment)
    references ledger_entry (organisation_id, kind, reference),
  constraint tax_document_organisation_id_refund_kind_refund_fkey foreign key (organisation_id, refund_kind, refund)
    references ledger_entry (organisation_id, kind, reference),
  constraint tax_document_organisation_id_entry_kind_number_total_paise_fkey foreign key (organisation_id, entry_kind, number, total_paise)
    references ledger_entry (organisation_id, kind, reference, amount_paise)
);
-- For the search, which finds documents by the beginning of their number.
create index tax_document_number_begins on tax_document (lower(number) text_pattern_ops);
create index tax_document_needs_registration on tax_document (issued_on) where needs_registration;
create index tax_document_newest on tax_document (issued_on desc, number desc);
create index tax_document_of on tax_document (of_document) where of_document is not null;

-- Reply of the e-invoice portal for a document, with the PDF that shows the reply.
create table tax_document_registration (
  document_id uuid primary key references tax_document (id),
  irn text not null unique check (irn ~ '^[0-9a-f]{64}$'),
  ack_number text not null,
  ack_date timestamptz not null,
  signed_qr text not null,
  pdf bytea not null,
  recorded_by text not null,
  recorded_at timestamptz not null default portal_now(),
  constraint tax_document_registration_past check (ack_date <= recorded_at)
);

-- Cancellation of a registration at the e-invoice portal. The document is void.
create table e_invoice_cancellation (
  document_id uuid primary key references tax_document_registration (document_id),
  cancelled_at timestamptz not null,
  reason text not null check (reason in ('duplicate', 'data entry mistake', 'order cancelled', 'other')),
  -- Pages of the document, marked as cancelled.
  pdf bytea not null,
  recorded_by text not null,
  recorded_at timestamptz not null default portal_now(),
  constraint e_invoice_cancellation_past check (cancelled_at <= recorded_at)
);

-- A machine's usage of a month on the only invoice that charges it. The invoice was issued, or entered manually.
create table charged_line (
  machine_id uuid not null,
  -- YYYY-MM-01.
  month date not null check (extract(day from month) = (1)::numeric),
  organisation_id uuid not null,
  seconds bigint not null check (seconds >= 0),
  amount_paise bigint not null check (amount_paise > 0),
  entry_kind text generated always as ('invoice') stored not null,
  invoice text not null,
  constraint charged_line_pkey primary key (machine_id, month),
  constraint charged_line_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id),
  constraint charged_line_organisation_id_entry_kind_invoice_fkey foreign key (organisation_id, entry_kind, invoice)
    references ledger_entry (organisation_id, kind, reference)
);
create index charged_line_invoice on charged_line (organisation_id, invoice);

-- Usage of less than half a rupee, which is carried forward to the organisation's next invoice.
create table carried_month (
  organisation_id uuid not null references organisation (id),
  -- YYYY-MM-01.
  month date not null check (extract(day from month) = (1)::numeric),
  constraint carried_month_pkey primary key (organisation_id, month)
);

-- Last number of each series. The app's role can only read it.
create table document_series (
  supplier_gstin text not null,
  prefix text not null,
  financial_year text not null,
  last_serial integer not null check (last_serial >= 0),
  last_issued_on date,
  constraint document_series_pkey primary key (supplier_gstin, prefix, financial_year)
);

alter table tax_status add constraint tax_status_request_id_organisation_id_fkey foreign key (request_id,
  organisation_id) references tax_status_request(id, organisation_id);

-- Accepts only the next number of a series, with a date that is not before the date of the last document.
-- The reversal of a document's entry needs a cancelled document, and has the date of the document, because a cancelled
-- document counts as never issued. The usage of a reversed invoice can be invoiced again; usage that the invoice took
-- over from earlier months is carried forward again.
create function check_document_reversal()
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

create function advance_document_series()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into document_series values (new.supplier_gstin, new.prefix, new.financial_year, 0, null)
    on conflict do nothing;
  update document_series set last_serial = new.serial, last_issued_on = new.issued_on
    where supplier_gstin = new.supplier_gstin and prefix = new.prefix and financial_year = new.financial_year
      and last_serial = new.serial - 1 and (last_issued_on is null or last_issued_on <= new.issued_on);
  if not found then
    raise exception '% is not the next number of its series', new.serial using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- The e-invoice portal cancels a registration within 24 hours. The row of the invoice is locked, like by
-- limit_corrections, so that a note is not issued at the same time.
create function check_e_invoice_cancellation()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare document tax_document; dependent text;
begin
  select * into document from tax_document where id = new.document_id;
  if not exists (select from tax_document_registration where document_id = new.document_id
    and new.cancelled_at between ack_date and ack_date + interval '24 hours') then
    raise exception '% is cancelled only within 24 hours of its registration', document.number
      using errcode = 'check_violation';
  end if;
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

-- A cancelled note does not count. A cancelled document gets no notes.
create function limit_corrections()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare original tax_document; corrected record;
begin
  select * into original from tax_document where id = new.of_document for no key update;
  if (new.kind, original.kind) not in (('credit note', 'invoice'), ('financial credit note', 'invoice'),
    ('debit note', 'invoice'), ('refund voucher', 'receipt voucher')) then
    raise exception 'A % cannot correct a %', new.kind, original.kind using errcode = 'check_violation';
  end if;
  if exists (select from e_invoice_cancellation where document_id = original.id) then
    raise exception '% is cancelled', original.number using errcode = 'check_violation';
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
        where c.document_id = n.id)) as notes;
  if corrected.taxable + new.taxable_paise > original.taxable_paise
    or corrected.cgst + new.cgst_paise > original.cgst_paise
    or corrected.igst + new.igst_paise > original.igst_paise
    or corrected.total + new.total_paise > original.total_paise then
    raise exception 'Corrections exceed the amounts of %', original.number using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Returns the next number of a series and the date of the last document. The series is locked until the end of the
-- transaction.
create function next_document_serial(gstin text, of_prefix text, year text)
returns table(serial integer, last_issued_on date) language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into document_series values (gstin, of_prefix, year, 0, null) on conflict do nothing;
  return query select s.last_serial + 1, s.last_issued_on from document_series s
    where s.supplier_gstin = gstin and s.prefix = of_prefix and s.financial_year = year for update;
end $$;

-- Returns the number of the newest valid note that must be cancelled before a document: a note of the document, or a
-- later note of the same invoice, whose tax depends on the earlier notes.
create function note_that_depends_on(document uuid)
returns text language sql stable set search_path = public, pg_temp as $$
  select n.number from tax_document d
    join ledger_entry e on e.organisation_id = d.organisation_id and e.kind = d.entry_kind and e.reference = d.number
    join tax_document n on n.of_document = coalesce(d.of_document, d.id)
    join ledger_entry later on later.organisation_id = n.organisation_id and later.kind = n.entry_kind
      and later.reference = n.number and later.id > e.id
  where d.id = document and not exists (select from e_invoice_cancellation c where c.document_id = n.id)
  order by later.id desc limit 1
$$;

create function number_issue_of_month()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare valid text;
begin
  select number into valid from tax_document d
    where organisation_id = new.organisation_id and month = new.month
      and not exists (select from e_invoice_cancellation c where c.document_id = d.id);
  if found then
    raise exception '% is the invoice of this month', valid using errcode = 'unique_violation';
  end if;
  select count(*) + 1 into new.month_issue from tax_document
    where organisation_id = new.organisation_id and month = new.month;
  return new;
end $$;

-- Posts the side of documents that does not belong to the customer.
create function post_documents(ids uuid[])
returns void language sql security definer set search_path = public, pg_temp as $$
  insert into posting (entry_id, account, organisation_id, paise)
  select e.id, part.account, e.organisation_id,
    part.paise * case when d.kind in ('invoice', 'debit note') then -1 else 1 end
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
revoke execute on function post_documents(uuid[]) from public;

create function require_reversed_entry()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from tax_document d join ledger_entry r on r.organisation_id = d.organisation_id
    and r.kind = d.entry_kind || ' reversal' and r.reverses = d.number where d.id = new.document_id) then
    raise exception 'The entry of a cancelled document must be reversed' using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger e_invoice_cancellation_checked before insert on e_invoice_cancellation
  for each row execute function check_e_invoice_cancellation();

create constraint trigger e_invoice_cancellation_reversed after insert on e_invoice_cancellation deferrable initially deferred
  for each row execute function require_reversed_entry();

create trigger ledger_entry_document_reversal before insert on ledger_entry for each row
  when (new.reverses is not null)
  execute function check_document_reversal();

create trigger ledger_entry_write_off before insert on ledger_entry for each row
  when (new.kind = 'write-off')
  execute function check_write_off();

create trigger tax_document_credit before insert on tax_document for each row
  when (new.of_document is not null)
  execute function limit_corrections();

create trigger tax_document_month before insert on tax_document for each row
  when (new.month is not null)
  execute function number_issue_of_month();

create trigger tax_document_serial before insert on tax_document
  for each row execute function advance_document_series();

insert into supplier default values;
