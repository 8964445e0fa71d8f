-- Class sessions, holidays, calendars and readiness.

-- Days on which no session of an organisation takes place.
create table holiday (
  organisation_id uuid not null references organisation (id),
  date date not null,
  name text not null check (name <> ''),
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  constraint holiday_pkey primary key (organisation_id, date)
);

-- A weekly series of class sessions.
create table class_series (
  id uuid default gen_random_uuid() primary key,
  training_id uuid not null,
  organisation_id uuid not null,
  -- Monday 1 to Sunday 7; null: a single session.
  weekdays smallint[] check (
      (cardinality(weekdays) >= 1 and cardinality(weekdays) <= 7)
      and (weekdays <@ array[(1)::smallint, (2)::smallint, (3)::smallint, (4)::smallint, (5)::smallint,
        (6)::smallint, (7)::smallint])
    ),
  from_date date not null,
  until_date date not null,
  -- True: the sessions determine the access window of the training.
  limits_access boolean not null,
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  constraint class_series_check check (until_date >= from_date and (until_date <= (from_date + 366))),
  constraint class_series_check1 check (weekdays is not null or until_date = from_date),
  constraint class_series_id_training_id_organisation_id_key unique (id, training_id, organisation_id),
  constraint class_series_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);

-- A class session of a training, alone or of a series.
create table class_session (
  id uuid default gen_random_uuid() primary key,
  series_id uuid not null,
  training_id uuid not null,
  organisation_id uuid not null,
  -- Date as the user entered it, in the organisation's zone at that time.
  date date not null,
  start_time time without time zone not null,
  stop_time time without time zone not null,
  time_zone text not null,
  starts_at timestamptz not null,
  stops_at timestamptz not null,
  -- True if a user changed this session separately from the other sessions of its series.
  moved boolean not null default false,
  skipped_at timestamptz,
  removed_at timestamptz,
  -- Number of changes of the times, skips included.
  revision integer not null default 0,
  revised_at timestamptz not null default portal_now(),
  constraint class_session_check check (stops_at > starts_at and (stops_at <= (starts_at + '25:00:00'::interval))),
  constraint class_session_id_training_id_organisation_id_key unique (id, training_id, organisation_id),
  constraint class_session_series_id_training_id_organisation_id_fkey foreign key (series_id, training_id, organisation_id)
    references class_series (id, training_id, organisation_id)
);
create index class_session_series on class_session (series_id, starts_at);
create index class_session_training on class_session (training_id, starts_at) where removed_at is null;

-- Secret address of a calendar file. Only the hash of the token is stored.
create table calendar_link (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null references portal_user (id) on delete cascade,
  -- null: all trainings of the user.
  training_id uuid,
  organisation_id uuid,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default portal_now(),
  last_read_at timestamptz,
  constraint calendar_link_check check ((training_id is null) = (organisation_id is null)),
  constraint calendar_link_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);
create unique index calendar_link_once on calendar_link (user_id, training_id) nulls not distinct;

-- Times by which the machines of a training must accept connections. Each machine starts earlier by its usual start
-- duration.
create table ready_by (
  id uuid default gen_random_uuid() primary key,
  training_id uuid not null,
  organisation_id uuid not null,
  -- Date as the user entered it, in the organisation's zone at that time.
  date text not null,
  time text not null,
  time_zone text not null,
  ready_at timestamptz not null,
  -- E-mail address of the user who planned the time.
  asked_by text not null,
  created_at timestamptz not null default portal_now(),
  started_at timestamptz,
  missed boolean not null default false,
  removed_at timestamptz,
  -- The order whose machines must be ready; null: all machines of the training.
  order_id uuid,
  class_session_id uuid,
  constraint ready_by_check check (not missed or started_at is null),
  constraint ready_by_id_organisation_id_key unique (id, organisation_id),
  constraint ready_by_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id),
  constraint ready_by_order_id_organisation_id_fkey foreign key (order_id, organisation_id)
    references machine_order (id, organisation_id),
  constraint ready_by_class_session_id_training_id_organisation_id_fkey foreign key (class_session_id, training_id, organisation_id)
    references class_session (id, training_id, organisation_id)
);
create index ready_by_class_session on ready_by (class_session_id) where class_session_id is not null;
create index ready_by_next on ready_by (organisation_id, ready_at) where removed_at is null and (not missed);
create unique index ready_by_once on ready_by (training_id, ready_at, order_id) nulls not distinct
  where removed_at is null;
create index ready_by_waiting on ready_by (ready_at) where started_at is null and (not missed) and removed_at is null;

-- Machines that a ready_by row started.
create table ready_machine (
  ready_by_id uuid not null,
  organisation_id uuid not null,
  machine_id uuid not null,
  -- Reason why the machine could not be started.
  refused text,
  constraint ready_machine_pkey primary key (ready_by_id, machine_id),
  constraint ready_machine_ready_by_id_organisation_id_fkey foreign key (ready_by_id, organisation_id)
    references ready_by (id, organisation_id),
  constraint ready_machine_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id) on delete cascade
);

-- A trigger instead of an exclusion constraint: see docs/decisions/04-database.md.
create function reject_overlapping_sessions()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Locks the training, so that concurrent transactions see each other's sessions.
  perform from training where id = new.training_id for no key update;
  if exists (select from class_session where training_id = new.training_id and id <> new.id
      and removed_at is null and skipped_at is null
      and starts_at < new.stops_at and starts_at > new.starts_at - interval '26 hours' and stops_at > new.starts_at) then
    raise exception 'sessions of training % overlap', new.training_id
      using errcode = 'exclusion_violation', table = 'class_session', constraint = 'class_session_apart';
  end if;
  return null;
end $$;

create constraint trigger class_session_apart after insert or update of starts_at, stops_at, removed_at, skipped_at on class_session not deferrable initially immediate
  for each row
  when (new.removed_at is null and new.skipped_at is null)
  execute function reject_overlapping_sessions();

-- Schedules that repeat by weekday. Each occurrence is a row of schedule.
create table recurrence (
  id uuid default gen_random_uuid() primary key,
  training_id uuid not null,
  organisation_id uuid not null,
  action text not null check (action in ('Start', 'Stop')),
  -- As in ISO 8601: Monday is 1.
  weekdays smallint[] not null check (
      (cardinality(weekdays) >= 1 and cardinality(weekdays) <= 7)
      and (weekdays <@ array[(1)::smallint, (2)::smallint, (3)::smallint, (4)::smallint, (5)::smallint,
        (6)::smallint, (7)::smallint])
    ),
  time time without time zone not null,
  from_date date not null,
  until_date date not null,
  time_zone text not null,
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  removed_at timestamptz,
  constraint recurrence_check check (until_date >= from_date and (until_date <= (from_date + 366))),
  constraint recurrence_id_training_id_organisation_id_key unique (id, training_id, organisation_id),
  constraint recurrence_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);
create index recurrence_training on recurrence (training_id) where removed_at is null;

alter table schedule
  -- null: the schedule does not repeat.
  add column recurrence_id uuid,
  add column class_session_id uuid,
  add constraint schedule_recurrence_id_training_id_organisation_id_fkey
    foreign key (recurrence_id, training_id, organisation_id) references recurrence (id, training_id, organisation_id),
  add constraint schedule_class_session_id_training_id_organisation_id_fkey
    foreign key (class_session_id, training_id, organisation_id)
    references class_session (id, training_id, organisation_id);
create index schedule_class_session on schedule (class_session_id) where class_session_id is not null;
create index schedule_recurrence on schedule (recurrence_id, fires_at) where recurrence_id is not null;
