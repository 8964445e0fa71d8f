import { type Kysely, sql } from 'kysely'

/** Binds a completed LMS launch to its browser and to the account's rights, and records the LMS of a session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(SINGLE_USE_LAUNCHES).execute(db)
}

const SINGLE_USE_LAUNCHES = `
-- Tickets of the former version open a session several times.
delete from lms_ticket;
-- Hash of a cookie of the browser that completed the launch; null: the browser blocks cookies in the LMS's frame.
alter table lms_ticket
  add proof_hash bytea check (length(proof_hash) = 32),
  add issued_at timestamptz not null default portal_now();

-- LMS that opened the session.
alter table session add lms_platform_id uuid references lms_platform on delete cascade;
create index session_lms_platform on session (lms_platform_id) where lms_platform_id is not null;

-- A launch that was completed before an instructor was removed must not make the user an instructor again.
create function end_launches_of_instructor() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from lms_ticket t using lms_identity i
  where i.user_id = old.user_id and t.organisation_id = i.organisation_id and t.issuer = i.issuer
    and t.subject = i.subject;
  return null;
end $$;
create trigger training_instructor_launches after delete on training_instructor for each row
  execute function end_launches_of_instructor();

-- A launch that was completed before an account was deleted must not create it again.
create function end_launches_of_identity() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from lms_ticket
  where organisation_id = old.organisation_id and issuer = old.issuer and subject = old.subject;
  return null;
end $$;
create trigger lms_identity_launches after delete on lms_identity for each row
  execute function end_launches_of_identity();
`
