import { type Kysely, sql } from 'kysely'

/**
 * Adds sessions of a class, their weekly rules, and holidays. Schedules, ready times and the access window still
 * perform the actions of a session. A schedule or ready time records the session to which it belongs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENTS).execute(db)
}

const STATEMENTS = `
create table holiday (
  organisation_id uuid not null references organisation (id),
  date date not null,
  name text not null check (name <> ''),
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  primary key (organisation_id, date)
);

create table class_series (
  id uuid primary key default gen_random_uuid(),
  training_id uuid not null,
  organisation_id uuid not null,
  -- Monday is 1; null: a single session.
  weekdays smallint[]
    check (cardinality(weekdays) between 1 and 7 and weekdays <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[]),
  from_date date not null,
  until_date date not null,
  -- True: the sessions determine the access window of the training.
  limits_access boolean not null,
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  foreign key (training_id, organisation_id) references training (id, organisation_id),
  unique (id, training_id, organisation_id),
  check (until_date between from_date and from_date + 366),
  check (weekdays is not null or until_date = from_date)
);

create table class_session (
  id uuid primary key default gen_random_uuid(),
  series_id uuid not null,
  training_id uuid not null,
  organisation_id uuid not null,
  -- Date as the user entered it, in the organisation's zone at that time.
  date date not null,
  start_time time not null,
  stop_time time not null,
  time_zone text not null,
  starts_at timestamptz not null,
  stops_at timestamptz not null,
  moved boolean not null default false,
  skipped_at timestamptz,
  removed_at timestamptz,
  foreign key (series_id, training_id, organisation_id)
    references class_series (id, training_id, organisation_id),
  unique (id, training_id, organisation_id),
  check (stops_at > starts_at and stops_at <= starts_at + interval '25 hours')
);
create index class_session_training on class_session (training_id, starts_at) where removed_at is null;
create index class_session_series on class_session (series_id, starts_at);

-- A trigger instead of an exclusion constraint: see docs/decisions/103-no-gist-indexes.md.
create function reject_overlapping_sessions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
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
create constraint trigger class_session_apart
  after insert or update of starts_at, stops_at, removed_at, skipped_at on class_session
  for each row when (new.removed_at is null and new.skipped_at is null)
  execute function reject_overlapping_sessions();

alter table schedule add column class_session_id uuid;
alter table schedule add foreign key (class_session_id, training_id, organisation_id)
  references class_session (id, training_id, organisation_id);
create index schedule_class_session on schedule (class_session_id) where class_session_id is not null;

alter table ready_by add column class_session_id uuid;
alter table ready_by add foreign key (class_session_id, training_id, organisation_id)
  references class_session (id, training_id, organisation_id);
create index ready_by_class_session on ready_by (class_session_id) where class_session_id is not null;
`
