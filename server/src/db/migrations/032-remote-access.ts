import { type Kysely, sql } from 'kysely'

/** Machines in the browser: the host key each showed first, tickets, and the terminals that are open. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table machine
      -- The public key that its SSH server showed when it first ran; another one is refused ever after.
      add column host_key bytea;
    create index machine_without_key on machine (first_seen_at)
      where host_key is null and guacamole and os = 'Linux' and terminated_at is null;

    -- A way in, good once and for a minute: for one session of one user, to one machine. Only its hash is kept.
    create table remote_ticket (
      token_hash bytea primary key,
      session_hash bytea not null,
      user_id uuid not null references portal_user (id) on delete cascade,
      machine_id uuid not null,
      organisation_id uuid not null,
      created_at timestamptz not null default portal_now(),
      expires_at timestamptz not null,
      used_at timestamptz,
      foreign key (machine_id, organisation_id) references machine (id, organisation_id)
    );
    create index remote_ticket_expiry on remote_ticket (expires_at);
    create index remote_ticket_user on remote_ticket (user_id);

    -- A terminal, open or over. The process that holds its socket says every few seconds that it still does.
    create table remote_session (
      id uuid primary key default gen_random_uuid(),
      session_hash bytea not null,
      user_id uuid references portal_user (id) on delete set null,
      email text not null,
      machine_id uuid not null,
      organisation_id uuid not null,
      opened_at timestamptz not null default portal_now(),
      seen_at timestamptz not null default portal_now(),
      closed_at timestamptz,
      -- Why, in the words that were shown.
      ended text,
      foreign key (machine_id, organisation_id) references machine (id, organisation_id),
      check ((closed_at is null) = (ended is null))
    );
    create index remote_session_open on remote_session (machine_id, seen_at) where closed_at is null;
    create index remote_session_user on remote_session (user_id);
  `.execute(db)
}
