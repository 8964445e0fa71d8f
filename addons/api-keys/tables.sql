-- API keys.

-- Keys of persons and services for the public API. Only the hash of a key is stored.
create table api_key (
  id uuid default gen_random_uuid() primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  prefix text not null,
  name text not null check (name <> ''),
  kind text not null check (kind in ('personal', 'service')),
  -- User who created the key, with the user's role and organisation at that time. The user's rights limit the key.
  user_id uuid not null references portal_user (id) on delete cascade,
  role text not null check (role in ('user', 'admin', 'superadmin')),
  organisation_id uuid references organisation (id) on delete cascade,
  scopes text[] not null check (cardinality(scopes) > 0),
  -- Empty: the key is accepted from any address.
  networks cidr[] not null,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  used_address inet,
  constraint api_key_check check (expires_at > created_at),
  constraint api_key_check1 check ((used_at is null) = (used_address is null)),
  constraint api_key_check2 check (kind = 'personal' or role = 'admin' and organisation_id is not null)
);
create index api_key_of_organisation on api_key (organisation_id) where organisation_id is not null;
create unique index api_key_of_user on api_key (user_id, comparison_key(name));
