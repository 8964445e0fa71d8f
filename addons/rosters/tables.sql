-- Rosters.

-- A roster that a training follows: a list, a directory group or a course.
create table roster (
  id uuid default gen_random_uuid() primary key,
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
  grace_days integer not null check (grace_days >= 0 and grace_days <= 90),
  made_by text not null,
  made_at timestamptz not null default portal_now(),
  version integer not null default 0,
  ran_at timestamptz,
  joined integer not null default 0,
  returned integer not null default 0,
  departed integer not null default 0,
  -- Time since which an admin must decide about members that the source no longer lists; null: no decision is
  -- pending.
  pending_since timestamptz,
  approved_at timestamptz,
  constraint roster_id_organisation_id_key unique (id, organisation_id),
  constraint roster_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id) on delete cascade
);
create index roster_source on roster (organisation_id, kind, external_key);

-- Who is on a roster, and what became of each.
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
  -- True if an admin added or retained the member. The roster removes this member only after the source has listed
  -- the person again and then dropped the person.
  by_hand boolean not null default false,
  instructor_given boolean not null default false,
  machine_id uuid,
  -- Time at which a machine is ordered, or ordered again after a failure; null: no machine is needed.
  machine_due_at timestamptz,
  problem text,
  -- Time at which the machine of a former member is deleted.
  delete_at timestamptz,
  constraint roster_member_check check (not listed or left_at is null),
  constraint roster_member_check1 check (machine_due_at is null or left_at is null and machine_id is null),
  constraint roster_member_check2 check (delete_at is null or left_at is not null and machine_id is not null),
  constraint roster_member_pkey primary key (roster_id, external_id),
  constraint roster_member_roster_id_organisation_id_fkey foreign key (roster_id, organisation_id)
    references roster (id, organisation_id) on delete cascade,
  constraint roster_member_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id) on delete set null (machine_id)
);
create index roster_member_delete on roster_member (delete_at) where delete_at is not null;
create index roster_member_email on roster_member (roster_id, email);
create unique index roster_member_machine on roster_member (machine_id) where machine_id is not null;
create index roster_member_machine_due on roster_member (machine_due_at) where machine_due_at is not null;
