-- Reminders of open invoices, and requests for payments.

-- Reminders of overdue invoices.
create table invoice_reminder (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  entry_kind text generated always as ('invoice') stored not null,
  invoice text not null,
  after_days smallint not null check (after_days >= 1 and after_days <= 365),
  -- YYYY-MM-DD.
  due_on date not null,
  -- Unpaid part of the invoice when the reminder was created.
  open_paise bigint not null check (open_paise > 0),
  created_at timestamptz not null default portal_now(),
  -- Time at which the reminder was sent, or skipped because the invoice was paid.
  ended_at timestamptz,
  -- Recipients; empty if the e-mail was skipped or had no recipients.
  sent_to text[] not null default '{}'::text[],
  constraint invoice_reminder_check check (ended_at is not null or sent_to = '{}'::text[]),
  constraint invoice_reminder_organisation_id_invoice_after_days_key unique (organisation_id, invoice, after_days),
  constraint invoice_reminder_organisation_id_entry_kind_invoice_fkey foreign key (organisation_id, entry_kind, invoice)
    references ledger_entry (organisation_id, kind, reference)
);

-- Requests for a payment, sent by e-mail. A request has at most one order, so that it is paid only once.
create table payment_request (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  -- The provider accepts no less than one rupee.
  amount_paise bigint not null check (amount_paise >= 100),
  about text not null check (about = btrim(about) and about <> ''),
  -- E-mail address of the superadmin who requested the payment.
  asked_by text not null,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  cancelled_at timestamptz,
  -- Recipients of the e-mail. Null while the e-mail is pending. Empty if there were no recipients, or if the request
  -- was paid, cancelled or expired before the e-mail was sent.
  sent_to text[],
  constraint payment_request_check check (expires_at > created_at),
  constraint payment_request_id_organisation_id_key unique (id, organisation_id)
);
create index payment_request_organisation on payment_request (organisation_id, created_at desc);

alter table payment
  add column request uuid unique,
  add constraint payment_request_organisation_id_fkey1 foreign key (request, organisation_id)
    references payment_request (id, organisation_id);
