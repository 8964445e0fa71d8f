import { type Kysely, sql } from 'kysely'

/** Instructors of a training: users whom an admin allows to lead its class. See docs/decisions/196-instructors.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
  await sql.raw(CHANGED_USER).execute(db)
}

const TABLE = `
alter table portal_user add constraint portal_user_of_organisation_and_role unique (id, organisation_id, role);

create table training_instructor (
  training_id uuid not null,
  organisation_id uuid not null,
  user_id uuid not null,
  -- Only users are instructors, because admins and superadmins lead every class in their scope.
  role text not null default 'user' check (role = 'user'),
  added_by text not null,
  added_at timestamptz not null default portal_now(),
  primary key (training_id, user_id),
  foreign key (training_id, organisation_id) references training (id, organisation_id) on delete cascade,
  foreign key (user_id, organisation_id, role) references portal_user (id, organisation_id, role) on delete cascade
);
create index training_instructor_user on training_instructor (user_id);
`

// Deletes the assignments of an instructor whose role or organisation changes. If the user returns later, the former
// classes must not be assigned again.
const CHANGED_USER = `
create function remove_instructor() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from training_instructor where user_id = old.id;
  return new;
end $$;
create trigger portal_user_instructor before update of role, organisation_id on portal_user for each row
  when (new.role is distinct from old.role or new.organisation_id is distinct from old.organisation_id)
  execute function remove_instructor();
`
