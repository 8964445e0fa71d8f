-- Schedules.

-- A planned start or stop of the machines of a training.
create table schedule (
  id uuid default gen_random_uuid() primary key,
  training_id uuid not null,
  organisation_id uuid not null,
  action text not null check (action in ('Start', 'Stop')),
  -- Date that the user entered. fires_at is the resulting instant.
  date date not null,
  time time without time zone not null,
  time_zone text not null,
  fires_at timestamptz not null,
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  completed_at timestamptz,
  missed boolean not null default false,
  removed_at timestamptz,
  deferred_until timestamptz,
  constraint schedule_id_organisation_id_key unique (id, organisation_id),
  constraint schedule_deferred check (deferred_until is null or action = 'Stop' and deferred_until > fires_at),
  constraint schedule_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);
create index schedule_due on schedule (coalesce(deferred_until, fires_at)) where completed_at is null
  and removed_at is null;
create unique index schedule_once on schedule (training_id, fires_at, action) where removed_at is null;
create index schedule_pending on schedule (training_id, fires_at) where completed_at is null and removed_at is null;
create index schedule_training on schedule (training_id, fires_at) where removed_at is null;

-- Outcome of a schedule for a machine.
create table schedule_outcome (
  schedule_id uuid not null,
  organisation_id uuid not null,
  machine_id uuid not null,
  outcome text not null check (outcome in ('acted', 'skipped', 'failed')),
  reason text,
  -- Generation of the machine that the schedule created. The outcome is shown until a later change of the desired
  -- state.
  generation bigint,
  constraint schedule_outcome_check check (outcome = 'acted' or generation is null),
  constraint schedule_outcome_pkey primary key (schedule_id, machine_id),
  constraint schedule_outcome_schedule_id_organisation_id_fkey foreign key (schedule_id, organisation_id)
    references schedule (id, organisation_id),
  constraint schedule_outcome_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id)
);
