import { type Kysely, sql } from 'kysely'

/** Adds the users and groups that an organisation's identity provider writes. See docs/decisions/220-scim.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
-- Time since which the user may not sign in. The account, its machines and its history remain.
alter table portal_user add column deactivated_at timestamptz;

create table scim_token (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  prefix text not null,
  name text not null check (name <> ''),
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null check (expires_at > created_at),
  used_at timestamptz,
  used_address inet,
  check ((used_at is null) = (used_address is null))
);
create unique index scim_token_name on scim_token (organisation_id, comparison_key(name));

create table scim_user (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation on delete cascade,
  -- The account; null: the account was deleted in the portal or moved to another organisation.
  user_id uuid unique references portal_user on delete set null,
  user_name text not null check (user_name <> ''),
  external_id text,
  active boolean not null,
  -- True for an account whose access level a group has set.
  role_given boolean not null default false,
  -- E-mail addresses in lower case, for filters.
  emails text[] not null,
  -- All attributes as stored, with their canonical names.
  data jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default portal_now(),
  changed_at timestamptz not null default portal_now(),
  unique (id, organisation_id)
);
create unique index scim_user_name on scim_user (organisation_id, lower(user_name));
create index scim_user_external_id on scim_user (organisation_id, external_id) where external_id is not null;
create index scim_user_emails on scim_user using gin (emails);
create index scim_user_page on scim_user (organisation_id, created_at, id);

create table scim_group (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation on delete cascade,
  display_name text not null check (display_name <> ''),
  external_id text,
  -- Access level of the members. A group cannot make its members superadmins.
  role text check (role in ('user', 'admin')),
  version integer not null default 1,
  created_at timestamptz not null default portal_now(),
  changed_at timestamptz not null default portal_now(),
  unique (id, organisation_id)
);
create unique index scim_group_name on scim_group (organisation_id, lower(display_name));
create index scim_group_page on scim_group (organisation_id, created_at, id);

-- Members of a group. A value that is not the ID of a user of the organisation is stored and ignored.
create table scim_group_member (
  group_id uuid not null,
  organisation_id uuid not null,
  value text not null check (value <> ''),
  display text,
  primary key (group_id, value),
  foreign key (group_id, organisation_id) references scim_group (id, organisation_id) on delete cascade
);
create index scim_group_member_value on scim_group_member (organisation_id, value);

-- An account that moves to another organisation is no longer controlled by the provider of the first one.
create function release_scim_user() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  update scim_user set user_id = null where user_id = old.id;
  return new;
end $$;
create trigger portal_user_scim before update of organisation_id on portal_user for each row
  when (new.organisation_id is distinct from old.organisation_id) execute function release_scim_user();
`,
    )
    .execute(db)
}
