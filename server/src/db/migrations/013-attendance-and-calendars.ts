import { type Kysely, sql } from 'kysely'

/** Adds the times of input in remote sessions, from which attendance is computed, and calendar links. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENTS).execute(db)
}

const STATEMENTS = `
-- Periods of input in a browser terminal or desktop. Short pauses are part of a period.
create table remote_input (
  remote_session_id uuid not null,
  organisation_id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz not null check (ended_at >= began_at),
  primary key (remote_session_id, began_at),
  foreign key (remote_session_id, organisation_id) references remote_session (id, organisation_id) on delete cascade
);

create table calendar_link (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references portal_user (id) on delete cascade,
  -- null: all trainings of the user.
  training_id uuid,
  organisation_id uuid,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default portal_now(),
  last_read_at timestamptz,
  foreign key (training_id, organisation_id) references training (id, organisation_id),
  check ((training_id is null) = (organisation_id is null))
);
create unique index calendar_link_once on calendar_link (user_id, training_id) nulls not distinct;
`
