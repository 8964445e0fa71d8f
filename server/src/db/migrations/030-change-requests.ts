import { type Kysely, sql } from 'kysely'

/** Requests of learners for more hours, and of admins for another admin or more quota. See docs/decisions/231-change-requests.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
  await sql.raw(CHANGED_USER).execute(db)
}

const TABLE = `
create table change_request (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id),
  kind text not null check (kind in ('hours', 'quota', 'admin')),
  training_id uuid,
  machine_id uuid,
  minutes integer check (minutes > 0),
  -- E-mail address of the requested admin.
  email text check (length(email) between 3 and 254),
  reason text not null check (length(reason) between 1 and 200),
  asked_by uuid not null,
  asked_at timestamptz not null default portal_now(),
  state text not null default 'open' check (state in ('open', 'approved', 'refused', 'withdrawn')),
  decided_by text,
  decided_at timestamptz,
  -- Reason for a refusal.
  answer text,
  foreign key (training_id, organisation_id) references training (id, organisation_id),
  foreign key (machine_id, organisation_id) references machine (id, organisation_id),
  foreign key (asked_by, organisation_id) references portal_user (id, organisation_id) on delete cascade,
  check ((kind = 'admin') = (training_id is null)),
  check ((kind = 'admin') = (minutes is null)),
  check ((kind = 'admin') = (email is not null)),
  check ((kind = 'hours') = (machine_id is not null)),
  check ((state = 'open') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  check ((state = 'refused') = (answer is not null))
);
-- At most one open request for the same change.
create unique index change_request_of_machine on change_request (machine_id) where state = 'open';
create unique index change_request_of_training on change_request (training_id) where state = 'open' and kind = 'quota';
create unique index change_request_of_admin on change_request (organisation_id, email) where state = 'open';
create index change_request_open on change_request (asked_at) where state = 'open';
create index change_request_by on change_request (asked_by, asked_at desc);
create index change_request_decided on change_request (decided_at) where state <> 'open';
`

// Withdraws open requests of a user whose role or organisation changes.
const CHANGED_USER = `
create function remove_change_requests() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from change_request where asked_by = old.id;
  return new;
end $$;
create trigger portal_user_change_requests before update of role, organisation_id on portal_user for each row
  when (new.role is distinct from old.role or new.organisation_id is distinct from old.organisation_id)
  execute function remove_change_requests();
`
