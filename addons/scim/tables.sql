-- Users and groups of a directory.

-- Tokens of directories. Only the hash is stored.
create table scim_token (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id) on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  prefix text not null,
  name text not null check (name <> ''),
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  used_address inet,
  constraint scim_token_check check (expires_at > created_at),
  constraint scim_token_check1 check ((used_at is null) = (used_address is null))
);
create unique index scim_token_name on scim_token (organisation_id, comparison_key(name));

-- A user of a directory and the account that it manages.
create table scim_user (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id) on delete cascade,
  -- The account; null: the account was deleted in the portal or moved to another organisation.
  user_id uuid unique references portal_user (id) on delete set null,
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
  adopted boolean not null default false,
  constraint scim_user_id_organisation_id_key unique (id, organisation_id)
);
create index scim_user_emails on scim_user using gin (emails);
create index scim_user_external_id on scim_user (organisation_id, external_id) where external_id is not null;
create unique index scim_user_name on scim_user (organisation_id, lower(user_name));
create index scim_user_page on scim_user (organisation_id, created_at, id);

-- A group of a directory and the role that it gives.
create table scim_group (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id) on delete cascade,
  display_name text not null check (display_name <> ''),
  external_id text,
  -- Access level of the members. A group cannot make its members superadmins.
  role text check (role in ('user', 'admin')),
  version integer not null default 1,
  created_at timestamptz not null default portal_now(),
  changed_at timestamptz not null default portal_now(),
  constraint scim_group_id_organisation_id_key unique (id, organisation_id)
);
create unique index scim_group_name on scim_group (organisation_id, lower(display_name));
create index scim_group_page on scim_group (organisation_id, created_at, id);

-- Members of a group. A value that is not the ID of a user of the organisation is stored and ignored.
create table scim_group_member (
  group_id uuid not null,
  organisation_id uuid not null,
  value text not null check (value <> ''),
  display text,
  constraint scim_group_member_pkey primary key (group_id, value),
  constraint scim_group_member_group_id_organisation_id_fkey foreign key (group_id, organisation_id)
    references scim_group (id, organisation_id) on delete cascade
);
create index scim_group_member_value on scim_group_member (organisation_id, value);
