import { type Kysely, sql } from 'kysely'

/** Trainings whose learners follow an external list of members. See docs/decisions/219-rosters.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
-- Time since which the learner has no access because they left the training's roster. The machine is not started.
alter table machine add column withheld_at timestamptz;
create trigger machine_withheld after update of withheld_at on machine for each row
  when (old.withheld_at is distinct from new.withheld_at) execute function notify_machine_changed();

create table roster (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null,
  training_id uuid not null unique,
  kind text not null check (kind in ('scim_group', 'lti_course')),
  -- Identifies the list at its source.
  external_key text not null check (external_key <> ''),
  name text not null,
  machine_rule text not null check (machine_rule in ('none', 'on_joining', 'on_first_launch')),
  template_id uuid references template (id) on delete set null,
  allotted_minutes integer check (allotted_minutes > 0),
  guacamole boolean not null,
  seats integer check (seats > 0),
  grace_days integer not null check (grace_days between 0 and 90),
  made_by text not null,
  made_at timestamptz not null default portal_now(),
  version integer not null default 0,
  ran_at timestamptz,
  joined integer not null default 0,
  returned integer not null default 0,
  departed integer not null default 0,
  -- Time since which an admin must decide about members that the source no longer lists; null: no decision is pending.
  pending_since timestamptz,
  approved_at timestamptz,
  unique (id, organisation_id),
  foreign key (training_id, organisation_id) references training (id, organisation_id) on delete cascade
);
create index roster_source on roster (organisation_id, kind, external_key);

create table roster_member (
  roster_id uuid not null,
  organisation_id uuid not null,
  -- Identifies the person at the source.
  external_id text not null check (external_id <> ''),
  -- Address of the account.
  email text not null check (email = lower(email)),
  name text,
  role text not null check (role in ('learner', 'instructor')),
  -- True if the member is in the list that the source sent last.
  listed boolean not null,
  joined_at timestamptz not null default portal_now(),
  left_at timestamptz,
  -- True if an admin added or retained the member. The roster removes this member only after the source has listed the
  -- person again and then dropped the person.
  by_hand boolean not null default false,
  instructor_given boolean not null default false,
  machine_id uuid,
  -- Time at which a machine is ordered, or ordered again after a failure; null: no machine is needed.
  machine_due_at timestamptz,
  problem text,
  -- Time at which the machine of a former member is deleted.
  delete_at timestamptz,
  primary key (roster_id, external_id),
  foreign key (roster_id, organisation_id) references roster (id, organisation_id) on delete cascade,
  foreign key (machine_id, organisation_id) references machine (id, organisation_id) on delete set null (machine_id),
  check (not listed or left_at is null),
  check (machine_due_at is null or (left_at is null and machine_id is null)),
  check (delete_at is null or (left_at is not null and machine_id is not null))
);
create index roster_member_email on roster_member (roster_id, email);
create index roster_member_machine_due on roster_member (machine_due_at) where machine_due_at is not null;
create index roster_member_delete on roster_member (delete_at) where delete_at is not null;
create unique index roster_member_machine on roster_member (machine_id) where machine_id is not null;
`,
    )
    .execute(db)
}
