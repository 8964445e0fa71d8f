import { type Kysely, sql } from 'kysely'

/** Personal data breaches and the recipients of their notices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
}

const TABLES = `
create table breach (
  id uuid primary key default gen_random_uuid(),
  number bigint not null unique generated always as identity,
  what text not null check (char_length(what) between 1 and 2000),
  found_at timestamptz not null,
  -- Null: not known yet.
  cause text check (char_length(cause) between 1 and 2000),
  consequences text check (char_length(consequences) between 1 and 2000),
  measures text check (char_length(measures) between 1 and 2000),
  advice text check (char_length(advice) between 1 and 2000),
  contact text check (char_length(contact) between 1 and 2000),
  recorded_by text not null,
  recorded_at timestamptz not null default portal_now(),
  board_reported_at timestamptz check (board_reported_at >= found_at),
  check (found_at <= recorded_at)
);

create table breach_recipient (
  breach_id uuid not null references breach (id),
  -- The admins of an affected user's organisation receive a separate notice.
  kind text not null check (kind in ('user', 'admin')),
  email text not null check (email = lower(email)),
  -- Organisation of the user at the time; null: a user without an organisation.
  organisation_id uuid references organisation (id) check (kind = 'user' or organisation_id is not null),
  requested_at timestamptz,
  sent_at timestamptz check (sent_at >= requested_at),
  -- Reason why the notice was not delivered.
  problem text,
  primary key (breach_id, kind, email),
  check (problem is null or (requested_at is not null and sent_at is null))
);
create index breach_recipient_organisation on breach_recipient (organisation_id);
`
