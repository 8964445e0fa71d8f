-- People, sessions and invitations.

-- Everybody who can sign in. E-mail addresses are unique and lower case.
create table portal_user (
  id uuid default gen_random_uuid() primary key,
  email text not null unique check (email = lower(email)),
  -- argon2id; null until the invitation is accepted.
  password_hash text,
  role text not null check (role in ('user', 'admin', 'superadmin', 'sandboxuser', 'awssandboxuser')),
  organisation_id uuid references organisation (id),
  created_at timestamptz not null default portal_now(),
  -- True if another person chose the password and therefore knows it.
  password_given boolean not null default false,
  -- Start of the grace period for the second factor that the role requires.
  role_since timestamptz not null default portal_now(),
  name text check (name = btrim(name) and name <> ''),
  -- First sign-in; null: the user has never signed in.
  signed_in_at timestamptz,
  deactivated_at timestamptz,
  -- Time zone of the browser that opened the user's link; null: unknown.
  time_zone text check (length(time_zone) >= 1 and length(time_zone) <= 64),
  constraint portal_user_check check (organisation_id is not null or role not in ('user', 'admin')),
  constraint portal_user_given_password check (not password_given or password_hash is not null),
  constraint portal_user_of_organisation unique (id, organisation_id),
  constraint portal_user_of_organisation_and_role unique (id, organisation_id, role)
);
create index portal_user_organisation on portal_user (organisation_id);
-- For the search, which finds addresses by their beginning.
create index portal_user_email_begins on portal_user (email text_pattern_ops);

-- Sessions of browsers. Only the hash of a token is stored.
create table session (
  token_hash bytea primary key,
  user_id uuid not null references portal_user (id) on delete cascade,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  id uuid not null default gen_random_uuid(),
  -- Written at most once a minute. Not indexed, so that the write touches no index.
  seen_at timestamptz not null default portal_now(),
  address text,
  -- Truncated User-Agent header.
  user_agent text check (length(user_agent) <= 512),
  -- Time at which the user last entered a password, a code or a passkey. Null if the user signed in with a single
  -- factor at the organisation's identity provider and has not confirmed their identity since.
  confirmed_at timestamptz default portal_now(),
  -- Idle limit of the installation when the session was opened.
  idle_minutes integer check (idle_minutes > 0),
  -- Who authenticated the user: the portal, the organisation's identity provider, or another system.
  opened_by text not null default 'portal' check (opened_by in ('portal', 'provider', 'system'))
);
create index session_by_user on session (user_id);
create index session_expiry on session (expires_at);
create unique index session_id on session (id);

-- Links in e-mails with which users set a password. The token is derived from the id.
create table invitation (
  user_id uuid not null references portal_user (id) on delete cascade,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  id uuid default gen_random_uuid() primary key,
  -- 'invitation' sets the first password, 'password' replaces a forgotten one.
  purpose text not null default 'invitation' check (purpose in ('invitation', 'password', 'address', 'provider')),
  -- Time at which the link was withdrawn or replaced by a newer one.
  revoked_at timestamptz,
  bounced_at timestamptz,
  -- Reply of the mail server that rejected the e-mail, without links.
  bounce text check (bounce <> ''),
  -- When the mail server accepted the e-mail.
  delivered_at timestamptz,
  -- When the page of the link was first opened.
  opened_at timestamptz,
  -- When the link was mailed last.
  mailed_at timestamptz not null default portal_now(),
  -- Requested address; null unless the link confirms it.
  new_email text,
  -- Identity at the organisation's provider; null unless the link confirms it.
  issuer text,
  subject text,
  constraint invitation_ends_once check (used_at is null or revoked_at is null),
  constraint invitation_bounce_has_reason check ((bounced_at is null) = (bounce is null)),
  constraint invitation_delivered_or_bounced check (delivered_at is null or bounced_at is null),
  constraint invitation_names_change check (
      ((new_email is not null) = (purpose = 'address'))
      and ((issuer is not null) = (purpose = 'provider'))
      and ((subject is not null) = (purpose = 'provider'))
    )
);
create index invitation_user on invitation (user_id);

-- Failed attempts by account and browser, to slow down guessing.
create unlogged table login_lane (
  lane bytea primary key,
  began_at timestamptz not null,
  taken integer not null
);

-- Superadmin who created or promoted an account or reset its second factors. Either account may have been deleted.
create table account_control (
  user_id uuid not null,
  controlled_by uuid not null,
  reason text not null check (reason in ('created', 'promoted', 'reset')),
  since timestamptz not null default portal_now(),
  constraint account_control_check check (controlled_by <> user_id),
  constraint account_control_pkey primary key (user_id, controlled_by)
);

