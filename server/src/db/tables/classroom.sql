-- The class while it runs.

-- Activity of a machine. These columns change every minute, so they are not in machine, whose rows the reconciler
-- locks.
create table machine_activity (
  machine_id uuid primary key,
  organisation_id uuid not null,
  -- Last input in a terminal.
  input_at timestamptz,
  -- Percentage CPU of the last measured minute, and the end of this minute.
  cpu_percent double precision check (
      (cpu_percent >= (0)::double precision)
      and (cpu_percent <= (100)::double precision)
    ),
  cpu_at timestamptz,
  -- End of the last minute in which the CPU was in use.
  busy_at timestamptz,
  -- Time at which the learner last confirmed to be present.
  here_at timestamptz,
  -- Time at which the learner was warned, and time at which the idle machine is stopped.
  warned_at timestamptz,
  stops_at timestamptz,
  -- Bit n is set if the machine was used in the minute that began n minutes before `active_at`.
  active_minutes integer not null default 0 check (active_minutes >= 0 and active_minutes <= 1023),
  active_at timestamptz,
  constraint machine_activity_check check ((cpu_percent is null) = (cpu_at is null)),
  constraint machine_activity_check1 check ((warned_at is null) = (stops_at is null)),
  constraint machine_activity_check2 check (stops_at >= (warned_at + '00:10:00'::interval)),
  constraint machine_activity_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id) on delete cascade
);
create index machine_activity_warned on machine_activity (stops_at) where stops_at is not null;

-- Parts of runs in which a machine was used or idle. Parts of a run without a row were not measured.
create table activity_stretch (
  machine_id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  organisation_id uuid not null,
  training_id uuid not null,
  -- True: no connection, no input, no confirmation by the learner, and no CPU usage.
  idle boolean not null,
  paise_per_hour bigint not null,
  constraint activity_stretch_check check (ended_at > began_at),
  constraint activity_stretch_pkey primary key (machine_id, began_at),
  constraint activity_stretch_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id) on delete cascade
);
create index activity_stretch_ended on activity_stretch (ended_at);
create index activity_stretch_organisation on activity_stretch (organisation_id, ended_at);
create index activity_stretch_training on activity_stretch (training_id, ended_at);

-- Learners who wait for an instructor.
create table raised_hand (
  training_id uuid not null,
  organisation_id uuid not null,
  email text not null check (email = lower(email)),
  raised_at timestamptz not null default portal_now(),
  reason text check (reason in ('stuck', 'question', 'slow')),
  constraint raised_hand_pkey primary key (training_id, email),
  constraint raised_hand_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id) on delete cascade
);

-- The current announcement of a training. A new announcement replaces it.
create table announcement (
  training_id uuid primary key,
  organisation_id uuid not null,
  text text not null check (text = btrim(text) and text <> ''),
  made_by text not null,
  made_at timestamptz not null default portal_now(),
  ends_at timestamptz not null,
  constraint announcement_check check (ends_at > made_at),
  constraint announcement_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id) on delete cascade
);
