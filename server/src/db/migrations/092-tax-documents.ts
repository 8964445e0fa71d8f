import { type Kysely, sql } from 'kysely'

/**
 * Documents under the GST rules: tax invoices, credit notes, receipt vouchers. Each stands as it was issued, numbered
 * without a gap, and has its entry in the ledger; each metered line is charged once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await settings(db)
  await entries(db)
  await documents(db)
  await series(db)
}

async function settings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table supplier (
      single boolean primary key default true check (single),
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
      undertaking text,
      sac text not null default '998315' check (sac ~ '^99([0-9]{2}|[0-9]{4})$'),
      invoice_prefix text not null default 'INV' check (invoice_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
      credit_note_prefix text not null default 'CRN' check (credit_note_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
      receipt_prefix text not null default 'RCV' check (receipt_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
      issuing text not null default 'approval' check (issuing in ('approval', 'by itself')),
      issue_day smallint not null default 3 check (issue_day between 2 and 28),
      -- The first day of the first month that is invoiced; null: none is.
      first_month date check (extract(day from first_month) = 1),
      check (invoice_prefix <> credit_note_prefix and invoice_prefix <> receipt_prefix
        and credit_note_prefix <> receipt_prefix)
    );
    insert into supplier default values;

    create table tax_rate (
      valid_from date primary key,
      -- Hundredths of a per cent.
      basis_points integer not null check (basis_points between 0 and 10000)
    );

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
      emails text[] not null default '{}'
    );`.execute(db)
}

async function entries(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_entry
      drop constraint ledger_entry_source_check,
      -- Issued: the entry of a document of ours.
      add constraint ledger_entry_source_check check (source in ('manual', 'provider', 'issued')),
      -- A document names its entry with its amount.
      add unique (organisation_id, kind, reference, amount_paise);

    -- A machine's usage of a month, charged by one invoice: one that was issued, or one that was typed by hand.
    create table charged_line (
      machine_id uuid not null,
      month date not null check (extract(day from month) = 1),
      organisation_id uuid not null,
      seconds bigint not null check (seconds >= 0),
      amount_paise bigint not null check (amount_paise > 0),
      entry_kind text not null generated always as ('invoice') stored,
      invoice text not null,
      primary key (machine_id, month),
      foreign key (machine_id, organisation_id) references machine (id, organisation_id),
      foreign key (organisation_id, entry_kind, invoice) references ledger_entry (organisation_id, kind, reference)
    );
    create index charged_line_invoice on charged_line (organisation_id, invoice);`.execute(db)
}

async function documents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tax_document (
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisation (id),
      kind text not null check (kind in ('invoice', 'credit note', 'receipt voucher')),
      supplier_gstin text not null check (supplier_gstin ~ '^[0-9]{2}[0-9A-Z]{13}$'),
      prefix text not null check (prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
      -- April to March: '26-27'.
      financial_year text not null,
      serial integer not null check (serial between 1 and 99999),
      number text not null generated always as
        (prefix || '/' || financial_year || '/' || lpad(serial::text, 5, '0')) stored unique,
      issued_on date not null,
      -- The month whose usage an invoice of the monthly run bills.
      month date check (extract(day from month) = 1),
      -- The invoice that a credit note corrects.
      of_document uuid,
      -- The payment that a voucher is for.
      payment text,
      taxable_paise bigint not null check (taxable_paise > 0),
      cgst_paise bigint not null check (cgst_paise >= 0),
      sgst_paise bigint not null check (sgst_paise = cgst_paise),
      igst_paise bigint not null check (igst_paise >= 0 and (igst_paise = 0 or cgst_paise = 0)),
      round_off_paise bigint not null,
      total_paise bigint not null check (total_paise > 0),
      -- The document as issued: its text, its form for the e-invoice portal, and its pages.
      content jsonb not null,
      -- null: a voucher has no such form.
      e_invoice jsonb,
      pdf bytea not null,
      created_by text not null,
      created_at timestamptz not null default portal_now(),
      entry_kind text generated always as (case kind when 'invoice' then 'invoice' when 'credit note' then 'payment' end) stored,
      paid_kind text generated always as (case kind when 'receipt voucher' then 'payment' end) stored,
      check (char_length(number) <= 16),
      check (total_paise = taxable_paise + cgst_paise + sgst_paise + igst_paise + round_off_paise),
      check ((kind = 'invoice') = (month is not null)),
      check ((kind = 'credit note') = (of_document is not null)),
      check ((kind = 'receipt voucher') = (payment is not null)),
      check ((kind = 'receipt voucher') = (e_invoice is null)),
      check (financial_year = to_char(issued_on - interval '3 months', 'YY') || '-'
        || to_char(issued_on + interval '9 months', 'YY')),
      unique (supplier_gstin, prefix, financial_year, serial),
      unique (id, organisation_id),
      unique (organisation_id, month),
      unique (organisation_id, payment),
      foreign key (of_document, organisation_id) references tax_document (id, organisation_id),
      foreign key (organisation_id, entry_kind, number, total_paise)
        references ledger_entry (organisation_id, kind, reference, amount_paise),
      foreign key (organisation_id, paid_kind, payment) references ledger_entry (organisation_id, kind, reference)
    );
    create index tax_document_newest on tax_document (issued_on desc, number desc);
    create index tax_document_of on tax_document (of_document) where of_document is not null;

    -- What the e-invoice portal answered for a document, with the pages that bear it.
    create table tax_document_registration (
      document_id uuid primary key references tax_document (id),
      irn text not null unique check (irn ~ '^[0-9a-f]{64}$'),
      ack_number text not null,
      ack_date timestamptz not null,
      signed_qr text not null,
      pdf bytea not null,
      recorded_by text not null,
      recorded_at timestamptz not null default portal_now()
    );`.execute(db)
}

/** The app's role reads the counters and never writes them: a number is only ever the next, and used at once. */
async function series(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table document_series (
      supplier_gstin text not null,
      prefix text not null,
      financial_year text not null,
      last_serial integer not null check (last_serial >= 0),
      last_issued_on date,
      primary key (supplier_gstin, prefix, financial_year)
    );

    -- The next number of a series, which stays this transaction's until it ends, and the day of the last one.
    create function next_document_serial(gstin text, of_prefix text, year text)
      returns table (serial integer, last_issued_on date)
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      insert into document_series values (gstin, of_prefix, year, 0, null) on conflict do nothing;
      return query select s.last_serial + 1, s.last_issued_on from document_series s
        where s.supplier_gstin = gstin and s.prefix = of_prefix and s.financial_year = year for update;
    end $$;

    create function keep_document_series() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
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
    create trigger tax_document_serial before insert on tax_document
      for each row execute function keep_document_series();

    -- All credit notes of an invoice together never take more off than it says. One at a time: its row is held.
    create function bound_credit_notes() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare invoice tax_document; credited record;
    begin
      select * into invoice from tax_document where id = new.of_document for no key update;
      if invoice.kind <> 'invoice' then
        raise exception 'A credit note corrects an invoice' using errcode = 'check_violation';
      end if;
      select coalesce(sum(taxable_paise), 0) as taxable, coalesce(sum(cgst_paise), 0) as cgst,
        coalesce(sum(igst_paise), 0) as igst, coalesce(sum(total_paise), 0) as total
        into credited from tax_document where of_document = new.of_document;
      if credited.taxable + new.taxable_paise > invoice.taxable_paise
        or credited.cgst + new.cgst_paise > invoice.cgst_paise
        or credited.igst + new.igst_paise > invoice.igst_paise
        or credited.total + new.total_paise > invoice.total_paise then
        raise exception 'Credit notes exceed the invoice %', invoice.number using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger tax_document_credit before insert on tax_document
      for each row when (new.kind = 'credit note') execute function bound_credit_notes();`.execute(db)
}
