-- Prepaid credit and overdue steps.

-- Prepaid credit of a training, or of all other trainings of an organisation. Usage since started_at consumes it.
create table prepaid_account (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  -- Null for all trainings without a separate account.
  training_id uuid,
  -- True: once the credit is used up, machines are stopped, and orders and starts are refused.
  hard_limit boolean not null default false,
  -- Admins are notified below this amount before tax; 0: only when the credit is used up.
  low_paise bigint not null default 0 check (low_paise >= 0),
  -- Days until bought credit expires; null: never.
  valid_days integer check (valid_days >= 1 and valid_days <= 3650),
  started_at timestamptz not null default date_trunc('second', portal_now()),
  low_since timestamptz,
  used_up_at timestamptz,
  -- Earliest time at which the credit could reach its next threshold if all of its machines ran.
  judge_at timestamptz not null default portal_now(),
  constraint prepaid_account_organisation_id_training_id_key unique nulls not distinct (organisation_id, training_id),
  constraint prepaid_account_id_organisation_id_key unique (id, organisation_id),
  constraint prepaid_account_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);
create index prepaid_account_due on prepaid_account (judge_at);
create index prepaid_account_used_up on prepaid_account (organisation_id, training_id) where hard_limit
  and used_up_at is not null;

-- Credit bought with a payment. The credit is the part of the payment that did not settle a due invoice.
create table prepaid_purchase (
  account_id uuid not null,
  organisation_id uuid not null,
  payment text not null,
  payment_kind text generated always as ('payment') stored not null,
  -- Amount of that part with tax.
  gross_paise bigint not null check (gross_paise > 0),
  -- Amount before tax.
  credit_paise bigint not null,
  bought_at timestamptz not null default date_trunc('second', portal_now()),
  -- Usage of the account until the purchase.
  used_before_paise bigint not null check (used_before_paise >= 0),
  expires_at timestamptz,
  -- Unused amount at expiry; null: the credit has not expired.
  expired_paise bigint,
  -- Usage of the account until the expiry.
  used_at_expiry_paise bigint,
  constraint prepaid_purchase_check check (credit_paise > 0 and credit_paise <= gross_paise),
  constraint prepaid_purchase_check1 check (expires_at > bought_at),
  constraint prepaid_purchase_check2 check (
      expired_paise is null
      or (expired_paise >= 0 and expired_paise <= credit_paise) and expires_at is not null
    ),
  constraint prepaid_purchase_check3 check ((used_at_expiry_paise is null) = (expired_paise is null)),
  constraint prepaid_purchase_pkey primary key (organisation_id, payment),
  constraint prepaid_purchase_account_id_organisation_id_fkey foreign key (account_id, organisation_id)
    references prepaid_account (id, organisation_id),
  constraint prepaid_purchase_organisation_id_payment_kind_payment_fkey foreign key (organisation_id, payment_kind, payment)
    references ledger_entry (organisation_id, kind, reference)
);
create index prepaid_purchase_account on prepaid_purchase (account_id);

-- How an organisation pays: limit enforced, steps of overdue invoices, pause.
create table credit_terms (
  organisation_id uuid primary key references organisation (id),
  -- Orders and starts are refused once the credit limit is reached.
  limit_enforced boolean not null default false,
  -- True: the days below replace the days of the portal.
  own_policy boolean not null default false,
  warn_days integer check (warn_days >= 0 and warn_days <= 365),
  hold_days integer check (hold_days >= 0 and hold_days <= 365),
  stop_days integer check (stop_days >= 0 and stop_days <= 365),
  -- YYYY-MM-DD.
  paused_until date,
  constraint credit_terms_check check (own_policy or num_nonnulls(warn_days, hold_days, stop_days) = 0),
  constraint credit_terms_check1 check (
      coalesce(warn_days, 0) <= coalesce(hold_days, stop_days, 365)
      and coalesce(hold_days, 0) <= coalesce(stop_days, 365)
    )
);

-- Organisations whose machines are stopped and stay off because of an overdue invoice.
create table overdue_stop (
  organisation_id uuid primary key references organisation (id),
  since timestamptz not null default portal_now()
);

-- E-mails about overdue invoices: one e-mail per step and invoice.
create table overdue_notice (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null,
  stage text not null check (stage in ('warn', 'hold', 'stop')),
  entry_kind text generated always as ('invoice') stored not null,
  invoice text not null,
  -- YYYY-MM-DD.
  due_on date not null,
  at timestamptz not null default portal_now(),
  -- Recipients of the e-mail; null: the e-mail was not sent.
  sent_to text[],
  constraint overdue_notice_organisation_id_stage_invoice_key unique (organisation_id, stage, invoice),
  constraint overdue_notice_organisation_id_entry_kind_invoice_fkey foreign key (organisation_id, entry_kind, invoice)
    references ledger_entry (organisation_id, kind, reference)
);

alter table payment
  -- True if the payer buys prepaid credit.
  add column prepaid boolean not null default false,
  add column prepaid_training uuid,
  add constraint payment_check1 check (prepaid_training is null or prepaid),
  add constraint payment_prepaid_training_organisation_id_fkey foreign key (prepaid_training, organisation_id)
    references training (id, organisation_id);
