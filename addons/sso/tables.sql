-- Sign-in at the provider of an organisation.

-- E-mail domains that an organisation proved to own.
create table organisation_domain (
  organisation_id uuid not null references organisation (id),
  domain text not null check (domain = lower(domain) and length(domain) <= 253),
  verified_at timestamptz,
  verified_by text check (verified_by in ('dns', 'superadmin')),
  constraint organisation_domain_check check ((verified_at is null) = (verified_by is null)),
  constraint organisation_domain_pkey primary key (organisation_id, domain)
);
create unique index organisation_domain_verified on organisation_domain (domain) where verified_at is not null;

-- An organisation's OpenID provider.
create table identity_provider (
  organisation_id uuid primary key references organisation (id),
  issuer text not null,
  client_id text not null,
  -- Encrypted for the organisation.
  client_secret bytea not null,
  group_claim text,
  signs_out_there boolean not null,
  -- First sign-in with the current settings.
  worked_at timestamptz,
  -- Set once a user has signed in with the current settings.
  works_for uuid generated always as (case
    when (worked_at is
    not null) then organisation_id
    else null::uuid
end) stored unique,
  -- Admins sign in here only if the provider says that they used a second factor.
  admins_need_second_factor boolean not null default false
);

-- Groups of the provider whose members get a role.
create table identity_provider_group (
  organisation_id uuid not null references identity_provider (organisation_id) on delete cascade,
  name text not null,
  role text not null check (role in ('user', 'admin')),
  constraint identity_provider_group_pkey primary key (organisation_id, name)
);

-- A user's account at the provider. Users without an organisation, such as superadmins, cannot have one.
create table provider_identity (
  organisation_id uuid not null,
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  bound_at timestamptz not null default portal_now(),
  constraint provider_identity_pkey primary key (organisation_id, issuer, subject),
  constraint provider_identity_user_id_issuer_key unique (user_id, issuer),
  constraint provider_identity_user_id_organisation_id_fkey foreign key (user_id, organisation_id)
    references portal_user (id, organisation_id) on delete cascade
);

-- Sign-ins in progress at a provider. Each row is consumed once.
create table provider_sign_in (
  token_hash bytea primary key,
  organisation_id uuid not null references identity_provider (organisation_id) on delete cascade,
  -- The admin who tests the settings; null for a real sign-in.
  tested_by uuid references portal_user (id) on delete cascade,
  expires_at timestamptz not null
);
create index provider_sign_in_over on provider_sign_in (expires_at);

-- Equal to `id` while passwords are not allowed: the foreign key then requires a working identity provider.
alter table organisation
  add column relies_on uuid generated always as (case when not passwords_allowed then id end) stored,
  add constraint organisation_relies_on_provider foreign key (relies_on) references identity_provider (works_for);
