-- Trainings and their instructors.

-- A training: its machines share ports, schedules, access window and class.
create table training (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  name text not null check (name = btrim(name) and name <> ''),
  created_at timestamptz not null default portal_now(),
  -- Access window of learners, in the organisation's zone.
  access_start time without time zone,
  access_stop time without time zone,
  -- A removed training is not listed until it is ordered again. Its machines and bills remain.
  removed_at timestamptz,
  -- Time until which learners have access even outside the window.
  access_extended_until timestamptz,
  -- null: idle machines are not stopped.
  idle_stop_minutes integer check (idle_stop_minutes >= 20 and idle_stop_minutes <= 480),
  -- Weekdays of the access window, as in ISO 8601 (Monday is 1); null: every day.
  access_days smallint[] check (
      (cardinality(access_days) >= 1 and cardinality(access_days) <= 7)
      and (access_days <@ array[(1)::smallint, (2)::smallint, (3)::smallint, (4)::smallint, (5)::smallint,
        (6)::smallint, (7)::smallint])
    ),
  ends_on date,
  -- True: instructors may watch without the learner's consent. Learners see a notice when they connect.
  watched_without_asking boolean not null default false,
  files_allowed boolean not null default true,
  early_start boolean not null default false,
  constraint training_check check (num_nulls(access_start, access_stop) in (0, 2)),
  constraint training_check1 check (access_start <> access_stop),
  constraint training_check2 check (access_extended_until is null or access_start is not null),
  constraint training_check3 check (access_days is null or access_start is not null),
  constraint training_organisation_id_name_key unique (organisation_id, name),
  constraint training_id_organisation_id_key unique (id, organisation_id)
);
create unique index training_name on training (organisation_id, comparison_key(name));

-- Users who lead a training.
create table training_instructor (
  training_id uuid not null,
  organisation_id uuid not null,
  user_id uuid not null,
  -- Only users are instructors, because admins and superadmins lead every class in their scope.
  role text not null default 'user' check (role = 'user'),
  added_by text not null,
  added_at timestamptz not null default portal_now(),
  constraint training_instructor_pkey primary key (training_id, user_id),
  constraint training_instructor_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id) on delete cascade,
  constraint training_instructor_user_id_organisation_id_role_fkey foreign key (user_id, organisation_id, role)
    references portal_user (id, organisation_id, role) on delete cascade
);
create index training_instructor_user on training_instructor (user_id);
