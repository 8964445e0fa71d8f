import { type Kysely, sql } from 'kysely'

/** Counts the changes of each session, so that calendar programs replace the event that they have stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(REVISIONS).execute(db)
}

const REVISIONS = `
alter table class_session
  add column revision integer not null default 0,
  add column revised_at timestamptz not null default portal_now();

create function count_session_revision() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.revision := old.revision + 1;
  new.revised_at := portal_now();
  return new;
end $$;

create trigger class_session_revised before update on class_session for each row
  when ((old.starts_at, old.stops_at, old.skipped_at is null)
    is distinct from (new.starts_at, new.stops_at, new.skipped_at is null))
  execute function count_session_revision();
`
