-- Budgets and their alerts.

-- A budget for the whole duration of a training, or for each month of an organisation.
create table budget (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  -- null: monthly budget of the organisation.
  training_id uuid,
  amount_paise bigint not null check (amount_paise > 0),
  -- True: the budget is a spending cap. The machines are stopped once the budget is used up.
  spending_cap boolean not null,
  set_by text not null,
  set_at timestamptz not null default portal_now(),
  -- Earliest time at which the budget could reach its next threshold if all of its machines ran.
  judge_at timestamptz not null default portal_now(),
  -- Time at which the spending cap was reached. Machines stay off while it is set; null: the cap is not reached.
  cap_reached_at timestamptz,
  constraint budget_check check (cap_reached_at is null or spending_cap),
  constraint budget_organisation_id_training_id_key unique nulls not distinct (organisation_id, training_id),
  constraint budget_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);
create index budget_cap_reached on budget (organisation_id, training_id) where cap_reached_at is not null;
create index budget_due on budget (judge_at);

-- A threshold of a budget or a quota that was reached.
create table budget_alert (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  training_id uuid,
  kind text not null check (kind in ('budget', 'quota')),
  percent integer not null,
  -- First day of the month, for the budget of an organisation.
  month date,
  -- Paise for a budget, minutes for a quota.
  used bigint not null check (used >= 0),
  total bigint not null check (total > 0),
  at timestamptz not null default portal_now(),
  constraint budget_alert_check check (percent in (80, 90, 100) or percent = 50 and kind = 'budget'),
  constraint budget_alert_check1 check ((month is not null) = (training_id is null)),
  constraint budget_alert_check2 check (kind = 'budget' or training_id is not null),
  constraint budget_alert_organisation_id_training_id_kind_month_total_p_key unique nulls not distinct (organisation_id,
    training_id, kind, month, total, percent),
  constraint budget_alert_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);
create index budget_alert_newest on budget_alert (organisation_id, at desc);

-- Who has closed an alert.
create table budget_alert_seen (
  alert_id uuid not null references budget_alert (id) on delete cascade,
  user_id uuid not null references portal_user (id) on delete cascade,
  constraint budget_alert_seen_pkey primary key (alert_id, user_id)
);

