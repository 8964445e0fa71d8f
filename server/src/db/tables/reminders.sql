-- Reminders of open invoices.

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
