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

-- Sums of the ended runs of a machine. Triggers maintain the sums.
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

-- Returns the time at which a machine uses up its allotted minutes (while a run is open), or the time at which they
-- were used up.
create function quota_of(machine_id uuid, allotted_minutes integer, out quota_ends_at timestamptz, out used_up_at timestamptz)
returns record language sql stable as $$
  select case when open_since is not null then open_since + make_interval(secs => left_over) end,
    case when open_since is null and left_over <= 0 then last_end end
  from (select max(started_at) filter (where stopped_at is null) as open_since, max(stopped_at) as last_end,
      allotted_minutes * 60 - coalesce(sum(date_part('epoch', stopped_at - started_at)), 0) as left_over
    from run r where r.machine_id = quota_of.machine_id) runs
$$;

-- A trigger instead of an exclusion constraint: see docs/decisions/103-no-gist-indexes.md.
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

-- Rows are sorted by machine, so that two statements cannot deadlock.
create function update_run_total()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then 
    insert into run_total as total (machine_id, organisation_id, runs, seconds, paise_seconds)
      select machine_id, organisation_id, sum(sign), sum(sign * seconds), sum(sign * seconds * paise_per_hour)
      from (select sign, machine_id, organisation_id, paise_per_hour,
          date_part('epoch', stopped_at - started_at)::bigint as seconds
        from (select 1 as sign, machine_id, organisation_id, started_at, stopped_at, paise_per_hour from added) as changed where stopped_at is not null) as ended
      group by machine_id, organisation_id
      having sum(sign) <> 0 or sum(sign * seconds) <> 0 or sum(sign * seconds * paise_per_hour) <> 0
      order by machine_id
    on conflict (machine_id) do update set runs = total.runs + excluded.runs,
      seconds = total.seconds + excluded.seconds, paise_seconds = total.paise_seconds + excluded.paise_seconds;
  elsif tg_op = 'DELETE' then 
    insert into run_total as total (machine_id, organisation_id, runs, seconds, paise_seconds)
      select machine_id, organisation_id, sum(sign), sum(sign * seconds), sum(sign * seconds * paise_per_hour)
      from (select sign, machine_id, organisation_id, paise_per_hour,
          date_part('epoch', stopped_at - started_at)::bigint as seconds
        from (select -1 as sign, machine_id, organisation_id, started_at, stopped_at, paise_per_hour from removed) as changed where stopped_at is not null) as ended
      group by machine_id, organisation_id
      having sum(sign) <> 0 or sum(sign * seconds) <> 0 or sum(sign * seconds * paise_per_hour) <> 0
      order by machine_id
    on conflict (machine_id) do update set runs = total.runs + excluded.runs,
      seconds = total.seconds + excluded.seconds, paise_seconds = total.paise_seconds + excluded.paise_seconds;
  else 
    insert into run_total as total (machine_id, organisation_id, runs, seconds, paise_seconds)
      select machine_id, organisation_id, sum(sign), sum(sign * seconds), sum(sign * seconds * paise_per_hour)
      from (select sign, machine_id, organisation_id, paise_per_hour,
          date_part('epoch', stopped_at - started_at)::bigint as seconds
        from (select -1 as sign, machine_id, organisation_id, started_at, stopped_at, paise_per_hour from removed union all select 1 as sign, machine_id, organisation_id, started_at, stopped_at, paise_per_hour from added) as changed where stopped_at is not null) as ended
      group by machine_id, organisation_id
      having sum(sign) <> 0 or sum(sign * seconds) <> 0 or sum(sign * seconds * paise_per_hour) <> 0
      order by machine_id
    on conflict (machine_id) do update set runs = total.runs + excluded.runs,
      seconds = total.seconds + excluded.seconds, paise_seconds = total.paise_seconds + excluded.paise_seconds;
  end if;
  return null;
end $$;

create trigger run_apart after insert or update of machine_id, started_at, stopped_at on run
  for each row execute function reject_overlapping_runs();

create trigger run_totals_delete after delete on run referencing old table as removed
  for each statement execute function update_run_total();

create trigger run_totals_insert after insert on run referencing new table as added
  for each statement execute function update_run_total();

create trigger run_totals_update after update on run referencing old table as removed new table as added
  for each statement execute function update_run_total();
