import { type Kysely, sql } from 'kysely'

/** Links by which learners register themselves for a training. See docs/decisions/221-registration-links.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
  await sql.raw(MOVED_USER).execute(db)
}

const TABLES = `
alter table organisation add column pseudonyms_allowed boolean not null default false;

create table registration_link (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null,
  training_id uuid not null,
  name text not null check (name = btrim(name) and name <> ''),
  code_hash bytea not null unique check (length(code_hash) = 32),
  -- Encrypted.
  code bytea not null,
  seats integer not null check (seats between 1 and 1000),
  opens_at timestamptz,
  closes_at timestamptz check (closes_at > opens_at),
  -- E-mail domains that may register; empty: every domain.
  domains text[] not null,
  needs_approval boolean not null,
  -- True if each seat includes a machine. The template is null if it was deleted.
  with_machine boolean not null,
  template_id uuid references template (id) on delete set null,
  allotted_minutes integer check (allotted_minutes > 0),
  guacamole boolean not null,
  -- Reason why the last attempt gave the waiting list no seat.
  problem text,
  made_by text not null,
  made_at timestamptz not null default portal_now(),
  revoked_at timestamptz,
  revoked_by text,
  unique (id, organisation_id),
  unique (id, organisation_id, seats),
  foreign key (training_id, organisation_id) references training (id, organisation_id) on delete cascade,
  check (with_machine or (template_id is null and allotted_minutes is null and not guacamole)),
  check ((revoked_at is null) = (revoked_by is null))
);
create index registration_link_training on registration_link (training_id);
create index registration_link_template on registration_link (template_id) where template_id is not null;

create table registration (
  link_id uuid not null,
  organisation_id uuid not null,
  user_id uuid not null references portal_user (id) on delete cascade,
  state text not null check (state in ('seated', 'pending', 'waiting', 'declined')),
  -- Number of the user's seat. The next column is the link's number of seats. A link cannot have more users than seats.
  seat integer,
  link_seats integer not null,
  is_pseudonym boolean not null,
  registered_at timestamptz not null default portal_now(),
  decided_at timestamptz,
  decided_by text,
  primary key (link_id, user_id),
  unique (link_id, seat),
  foreign key (link_id, organisation_id, link_seats) references registration_link (id, organisation_id, seats)
    on update cascade on delete cascade,
  check ((state = 'seated') = (seat is not null)),
  check (seat between 1 and link_seats),
  check ((decided_at is null) = (decided_by is null))
);
create index registration_user on registration (user_id);
create index registration_waiting on registration (link_id, registered_at) where state = 'waiting';

-- E-mails to addresses that may register. The account is created when the link in the e-mail is used.
create table registration_email (
  id uuid primary key,
  link_id uuid not null,
  organisation_id uuid not null,
  email text not null check (email = lower(email)),
  sent_at timestamptz not null default portal_now(),
  expires_at timestamptz not null check (expires_at > sent_at),
  used_at timestamptz,
  foreign key (link_id, organisation_id) references registration_link (id, organisation_id) on delete cascade
);
create index registration_email_address on registration_email (email, sent_at);
create index registration_email_expiry on registration_email (expires_at);

-- Registration link that the import created when the lab moved.
alter table imported_lab add column link_id uuid,
  add foreign key (link_id, organisation_id) references registration_link (id, organisation_id) on delete set null (link_id),
  add check (link_id is null or moved_at is not null);
create index imported_lab_link on imported_lab (link_id) where link_id is not null;
`

// Deletes registrations of users whose organisation changes. If a user returns later, the old seat must not be assigned
// again.
const MOVED_USER = `
create function remove_registrations() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from registration where user_id = old.id;
  return new;
end $$;
create trigger portal_user_registrations before update of organisation_id on portal_user for each row
  when (new.organisation_id is distinct from old.organisation_id)
  execute function remove_registrations();
`
