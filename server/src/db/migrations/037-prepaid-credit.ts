import { type Kysely, sql } from 'kysely'

/** Adds prepaid credit, the enforcement of credit limits, and the policy for overdue invoices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(PREPAID).execute(db)
  await sql.raw(TERMS).execute(db)
  await sql.raw(TRIGGERS).execute(db)
}

const PREPAID = `
-- Prepaid credit of a training, or of all other trainings of an organisation. Usage since started_at consumes it.
create table prepaid_account (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id),
  -- null: all trainings that have no separate account.
  training_id uuid,
  -- True: once the credit is used up, machines are stopped, and orders and starts are refused.
  hard_limit boolean not null default false,
  -- Admins are notified below this amount before tax; 0: only when the credit is used up.
  low_paise bigint not null default 0 check (low_paise >= 0),
  -- Days until bought credit expires; null: never.
  valid_days integer check (valid_days between 1 and 3650),
  started_at timestamptz not null default date_trunc('second', portal_now()),
  low_since timestamptz,
  used_up_at timestamptz,
  -- Earliest time at which the credit could reach its next threshold if all of its machines ran.
  judge_at timestamptz not null default portal_now(),
  foreign key (training_id, organisation_id) references training (id, organisation_id),
  unique nulls not distinct (organisation_id, training_id),
  unique (id, organisation_id)
);
create index prepaid_account_due on prepaid_account (judge_at);
create index prepaid_account_used_up on prepaid_account (organisation_id, training_id)
  where hard_limit and used_up_at is not null;

-- Credit bought with a payment. The credit is the part of the payment that did not settle a due invoice.
create table prepaid_purchase (
  account_id uuid not null,
  organisation_id uuid not null,
  payment text not null,
  payment_kind text not null generated always as ('payment') stored,
  -- Amount of that part with tax.
  gross_paise bigint not null check (gross_paise > 0),
  -- Amount of that part before tax, at the rate of the day of the payment. Usage consumes this amount.
  credit_paise bigint not null check (credit_paise > 0 and credit_paise <= gross_paise),
  bought_at timestamptz not null default date_trunc('second', portal_now()),
  -- Usage of the account before the purchase. Earlier purchases paid for this usage.
  used_before_paise bigint not null check (used_before_paise >= 0),
  expires_at timestamptz check (expires_at > bought_at),
  -- Unused amount at expiry; null: the credit has not expired.
  expired_paise bigint check (expired_paise is null or (expired_paise between 0 and credit_paise and expires_at is not null)),
  used_at_expiry_paise bigint check ((used_at_expiry_paise is null) = (expired_paise is null)),
  primary key (organisation_id, payment),
  foreign key (account_id, organisation_id) references prepaid_account (id, organisation_id),
  foreign key (organisation_id, payment_kind, payment) references ledger_entry (organisation_id, kind, reference)
);
create index prepaid_purchase_account on prepaid_purchase (account_id);

-- Online orders that buy credit.
alter table payment
  add column prepaid boolean not null default false,
  add column prepaid_training uuid check (prepaid_training is null or prepaid),
  add foreign key (prepaid_training, organisation_id) references training (id, organisation_id);
`

const TERMS = `
-- Days after the due date of an invoice at which each step applies; null: the step does not apply.
alter table supplier
  add column warn_days integer check (warn_days between 0 and 365),
  add column hold_days integer check (hold_days between 0 and 365),
  add column stop_days integer check (stop_days between 0 and 365),
  add constraint supplier_overdue check (coalesce(warn_days, 0) <= coalesce(hold_days, stop_days, 365)
    and coalesce(hold_days, 0) <= coalesce(stop_days, 365));

create table credit_terms (
  organisation_id uuid primary key references organisation (id),
  -- Orders and starts are refused once the credit limit is reached.
  limit_enforced boolean not null default false,
  -- True: the days below replace the days of the portal.
  own_policy boolean not null default false,
  warn_days integer check (warn_days between 0 and 365),
  hold_days integer check (hold_days between 0 and 365),
  stop_days integer check (stop_days between 0 and 365),
  -- The policy does not apply until the end of this day.
  paused_until date,
  check (own_policy or num_nonnulls(warn_days, hold_days, stop_days) = 0),
  check (coalesce(warn_days, 0) <= coalesce(hold_days, stop_days, 365)
    and coalesce(hold_days, 0) <= coalesce(stop_days, 365))
);

-- Organisations whose machines are stopped and stay off because of an overdue invoice.
create table overdue_stop (
  organisation_id uuid primary key references organisation (id),
  since timestamptz not null default portal_now()
);

-- E-mails about overdue invoices: one e-mail per step and invoice.
create table overdue_notice (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null,
  stage text not null check (stage in ('warn', 'hold', 'stop')),
  entry_kind text not null generated always as ('invoice') stored,
  invoice text not null,
  due_on date not null,
  at timestamptz not null default portal_now(),
  -- Recipients of the e-mail; null: the e-mail was not sent.
  sent_to text[],
  unique (organisation_id, stage, invoice),
  foreign key (organisation_id, entry_kind, invoice) references ledger_entry (organisation_id, kind, reference)
);
`

const TRIGGERS = `
-- A refund reduces the credit that the payment bought.
create function judge_prepaid_accounts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update prepaid_account set judge_at = portal_now() where organisation_id = new.organisation_id;
  return null;
end $$;
create trigger ledger_entry_returned after insert on ledger_entry for each row
  when (new.kind in ('refund', 'payment reversal')) execute function judge_prepaid_accounts();

create function notify_organisation_machines() returns trigger language plpgsql as $$
begin
  perform pg_notify('machine_changed', id::text) from training
    where organisation_id = coalesce(new.organisation_id, old.organisation_id);
  return null;
end $$;
create trigger prepaid_used_up after update on prepaid_account for each row
  when ((old.hard_limit and old.used_up_at is not null) <> (new.hard_limit and new.used_up_at is not null))
  execute function notify_organisation_machines();
create trigger overdue_stopped after insert or delete on overdue_stop for each row
  execute function notify_organisation_machines();
`
