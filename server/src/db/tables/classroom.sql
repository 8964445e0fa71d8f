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
  -- Bit n is set if the machine was used in the minute that began n minutes before `active_at`. A trigger sets the
  -- bits.
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

create function notify_class_of_announcement() returns trigger language plpgsql as $$
begin
  perform pg_notify('class_changed', (coalesce(new, old)).training_id::text);
  return null;
end $$;

create function notify_class_of_machine() returns trigger language plpgsql as $$
begin
  perform pg_notify('class_changed', training_id || ' ' || id) from machine where id = new.machine_id;
  return null;
end $$;

create function notify_class_of_raised_hand() returns trigger language plpgsql as $$
declare hand raised_hand := coalesce(new, old);
begin
  perform pg_notify('class_changed', training_id || ' ' || id) from machine
    where training_id = hand.training_id and email = hand.email and terminated_at is null;
  return null;
end $$;

create function record_active_minutes() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  used timestamptz;
  passed integer;
begin
  foreach used in array array[new.input_at, new.busy_at, new.here_at] loop
    continue when used is null or (tg_op = 'UPDATE' and used in (old.input_at, old.busy_at, old.here_at));
    used := date_trunc('minute', used);
    passed := case when new.active_at is null then 10 else floor(extract(epoch from used - new.active_at) / 60) end;
    if passed > 0 then
      new.active_minutes := case when passed > 9 then 1 else ((new.active_minutes << passed) | 1) & 1023 end;
      new.active_at := used;
    elsif passed > -10 then
      new.active_minutes := new.active_minutes | (1 << -passed);
    end if;
  end loop;
  return new;
end $$;

create trigger class_announcement after insert or delete or update on announcement
  for each row execute function notify_class_of_announcement();

create trigger class_activity_changed after update on machine_activity for each row
  when (old.* is distinct from new.*)
  execute function notify_class_of_machine();

create trigger class_activity_made after insert on machine_activity
  for each row execute function notify_class_of_machine();

create trigger machine_activity_minutes before insert or update of input_at, busy_at, here_at on machine_activity
  for each row execute function record_active_minutes();

create trigger class_hand after insert or delete on raised_hand
  for each row execute function notify_class_of_raised_hand();

create trigger class_hand_reason after update of reason on raised_hand for each row
  when (old.reason is distinct from new.reason)
  execute function notify_class_of_raised_hand();

create trigger class_terminal_closed after update of closed_at on remote_session for each row
  when (old.closed_at is distinct from new.closed_at)
  execute function notify_class_of_machine();

create trigger class_terminal_opened after insert on remote_session
  for each row execute function notify_class_of_machine();
