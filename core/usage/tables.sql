-- Usage of machines and its totals.

-- Why a run began or ended.
create domain run_cause as text constraint run_cause_check check (value in (
  'create accepted', 'start accepted', 'restart accepted', 'stop accepted', 'delete accepted', 'deleted',
  'seen running', 'seen halted', 'seen stopped', 'seen changing', 'seen failed', 'seen absent', 'imported',
  'price changed'
));

-- Usage record: a time in which the provider billed a machine, in whole seconds, with the price of its order. Runs of
-- a machine never overlap: see reject_overlapping_runs.
create table run (
  id bigint generated always as identity primary key,
  machine_id uuid not null,
  organisation_id uuid not null,
  started_at timestamptz not null check (date_trunc('second', started_at) = started_at),
  stopped_at timestamptz,
  paise_per_hour bigint not null,
  -- Time at which a user cleared the run from the log screen. Bills and quotas still count the run.
  hidden_at timestamptz,
  opened_by run_cause not null default 'imported',
  -- Start time that the provider reported, before it was clamped to the time between the previous run and now.
  opened_told_at timestamptz,
  closed_by run_cause,
  -- End time that the provider reported, before it was clamped to the time between the start and now.
  closed_told_at timestamptz,
  constraint run_check check (date_trunc('second', stopped_at) = stopped_at and stopped_at >= started_at),
  constraint run_check1 check (stopped_at is not null or closed_by is null)
);
create index run_machine on run (machine_id, started_at) include (stopped_at, paise_per_hour);
create unique index run_open on run (machine_id) where stopped_at is null;

-- Sums of the ended runs of a machine. Only updateRunTotals writes them.
create table run_total (
  machine_id uuid primary key,
  organisation_id uuid not null,
  runs integer not null,
  seconds bigint not null,
  -- Sum of the seconds of each run times its price per hour.
  paise_seconds numeric not null
);

-- Totals of a day in the zone of the installation.
create table day_total (
  -- In the zone of the installation.
  day date primary key,
  -- Machines that ran on this day.
  machines integer not null check (machines >= 0),
  -- Rounded once for the whole day.
  amount_paise bigint not null check (amount_paise >= 0)
);

-- A trigger instead of an exclusion constraint: see docs/decisions/04-database.md.
create function reject_overlapping_runs()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Locks the machine, so that concurrent transactions see each other's runs.
  perform from machine where id = new.machine_id for no key update;
  if exists (select from run where machine_id = new.machine_id and id <> new.id
      and started_at < coalesce(new.stopped_at, 'infinity')
      and tstzrange(started_at, stopped_at) && tstzrange(new.started_at, new.stopped_at)) then
    raise exception 'runs of machine % overlap', new.machine_id
      using errcode = 'exclusion_violation', table = 'run', constraint = 'run_apart';
  end if;
  return null;
end $$;

create trigger run_apart after insert or update of machine_id, started_at, stopped_at on run
  for each row execute function reject_overlapping_runs();
