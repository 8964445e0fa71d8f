-- Second factors and passkeys.

-- Encrypted secret of a user's authenticator app.
create table authenticator_app (
  user_id uuid primary key references portal_user (id) on delete cascade,
  -- Encrypted for this user.
  secret bytea not null,
  -- The 30 s step of the last accepted code.
  last_step bigint not null,
  -- Number of codes since tried_since that may have been wrong.
  tried integer not null default 0 check (tried >= 0),
  tried_since timestamptz not null default portal_now(),
  created_at timestamptz not null default portal_now()
);

-- Hashes of recovery codes that were not used.
create table recovery_code (
  user_id uuid not null references portal_user (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  constraint recovery_code_pkey primary key (user_id, code_hash)
);

-- Passkeys and security keys.
create table passkey (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null references portal_user (id) on delete cascade,
  -- ID that the authenticator chose.
  credential_id text not null unique,
  name text not null check (name = btrim(name) and name <> ''),
  public_key bytea not null,
  -- Signature counter of the authenticator; 0 if the authenticator has no counter.
  uses bigint not null check (uses >= 0),
  transports text[] not null,
  created_at timestamptz not null default portal_now(),
  last_used_at timestamptz
);
create unique index passkey_name on passkey (user_id, comparison_key(name));

-- Requests of a superadmin to reset a user's second factors. Another superadmin must confirm.
create table second_factor_reset (
  user_id uuid primary key references portal_user (id) on delete cascade,
  -- Superadmin who requested the reset.
  asked_by uuid not null references portal_user (id) on delete cascade,
  asked_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  constraint second_factor_reset_check check (asked_by <> user_id)
);
create index second_factor_reset_asked_by on second_factor_reset (asked_by);

-- Tokens of a sign-in that waits for its second step, or of another confirmation.
create unlogged table challenge (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('second step', 'passkey login', 'new passkey', 'proof')),
  user_id uuid references portal_user (id) on delete cascade,
  password_digest bytea,
  bound_to bytea not null,
  tried integer not null default 0 check (tried >= 0 and tried <= 5),
  expires_at timestamptz not null,
  constraint challenge_check check ((purpose = 'passkey login') = (user_id is null)),
  constraint challenge_check1 check ((purpose = 'second step') = (password_digest is not null))
);
create index challenge_expiry on challenge (expires_at);
create index challenge_user on challenge (user_id);
