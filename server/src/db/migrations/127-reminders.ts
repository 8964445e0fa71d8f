import { type Kysely, sql } from 'kysely'

/** Customers are reminded of invoices that are overdue: each by a step of the supplier's schedule, and once by each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table supplier
      add column reminders text not null default 'off' check (reminders in ('off', 'on')),
      -- Days from an invoice's date until it is due.
      add column payment_days smallint not null default 15 check (payment_days between 0 and 180),
      -- Days after that on which somebody is reminded.
      add column reminder_days smallint[] not null default '{3,10,20}'
        check (cardinality(reminder_days) between 1 and 5 and 1 <= all (reminder_days) and 365 >= all (reminder_days));

    create table invoice_reminder (
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisation (id),
      entry_kind text not null generated always as ('invoice') stored,
      invoice text not null,
      after_days smallint not null check (after_days between 1 and 365),
      due_on date not null,
      -- What was open of the invoice when it was written.
      open_paise bigint not null check (open_paise > 0),
      created_at timestamptz not null default portal_now(),
      -- Mailed, or found to be paid before it was.
      ended_at timestamptz,
      sent_to text[] not null default '{}',
      check (ended_at is not null or sent_to = '{}'),
      unique (organisation_id, invoice, after_days),
      foreign key (organisation_id, entry_kind, invoice) references ledger_entry (organisation_id, kind, reference)
    );`.execute(db)
}
