import { type Kysely, sql } from 'kysely'

/** Sign-in through an organisation's own OpenID provider: the provider, its domains, and the people bound to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organisation_domain (
      organisation_id uuid not null references organisation,
      domain text not null check (domain = lower(domain) and length(domain) <= 253),
      verified_at timestamptz,
      verified_by text check (verified_by in ('dns', 'superadmin')),
      primary key (organisation_id, domain),
      check ((verified_at is null) = (verified_by is null))
    );
    -- Anybody may claim a domain; it is verified for one organisation.
    create unique index organisation_domain_verified on organisation_domain (domain) where verified_at is not null;

    create table identity_provider (
      organisation_id uuid primary key references organisation,
      issuer text not null,
      client_id text not null,
      -- Sealed; the organisation is its context.
      client_secret bytea not null,
      group_claim text,
      signs_out_there boolean not null,
      -- When somebody first signed in through it as it is now.
      worked_at timestamptz
    );

    create table identity_provider_group (
      organisation_id uuid not null references identity_provider on delete cascade,
      name text not null,
      role text not null check (role in ('user', 'admin')),
      primary key (organisation_id, name)
    );

    -- Who belongs to no organisation, as superadmins do, can be bound to no provider.
    alter table portal_user add constraint portal_user_of_organisation unique (id, organisation_id);
    create table provider_identity (
      organisation_id uuid not null,
      issuer text not null,
      subject text not null,
      user_id uuid not null,
      bound_at timestamptz not null default portal_now(),
      primary key (organisation_id, issuer, subject),
      unique (user_id, issuer),
      foreign key (user_id, organisation_id) references portal_user (id, organisation_id) on delete cascade
    );

    -- Sign-ins that were begun: each is taken once.
    create table provider_sign_in (
      token_hash bytea primary key,
      organisation_id uuid not null references identity_provider on delete cascade,
      -- Of a test of the settings: who tests.
      tested_by uuid references portal_user on delete cascade,
      expires_at timestamptz not null
    );
    create index provider_sign_in_over on provider_sign_in (expires_at);`.execute(db)
}
