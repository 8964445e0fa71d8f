import { type Kysely, sql } from 'kysely'

/** Azure lab users, their sandboxes, and what of their credits the sandboxes used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table azure_user (
      -- Also the userId that people see: the name of each sandbox begins with its first part.
      id uuid primary key default gen_random_uuid(),
      -- The name that they sign in with, here and at the provider.
      email text not null check (email = lower(email)),
      personal_email text not null check (personal_email = lower(personal_email)),
      -- Their account here; it goes with the first step of their end.
      account_id uuid references portal_user (id) on delete set null,
      days integer not null check (days > 0),
      start_at timestamptz not null default portal_now(),
      end_at timestamptz not null check (end_at > start_at),
      -- Sealed: the provider's first password. Stored before the first call, so that a repeat asks for the same.
      first_password bytea,

      total_paise bigint not null check (total_paise >= 0),
      reserved_paise bigint not null default 0 check (reserved_paise >= 0),
      consumed_paise bigint not null default 0 check (consumed_paise >= 0),
      check (reserved_paise + consumed_paise <= total_paise),

      desired text not null default 'ready' check (desired in ('ready', 'gone')),
      -- When a creation was last sent: one whose reply was lost may still come.
      create_sent_at timestamptz,
      -- The provider's id, once it is known.
      object_id text,
      blocked_at timestamptz,
      -- Since when looks for it have found nothing.
      absent_at timestamptz,
      ended_at timestamptz,

      reconcile_at timestamptz default portal_now(),
      leased_until timestamptz,
      fence bigint not null default 0,
      generation bigint not null default 0,
      attempts integer not null default 0,
      trouble text,

      check (ended_at is null or (desired = 'gone' and first_password is null and account_id is null
        and reserved_paise = 0 and reconcile_at is null and leased_until is null))
    );
    create unique index azure_user_email on azure_user (email) where ended_at is null;
    create unique index azure_user_account on azure_user (account_id) where account_id is not null;
    create index azure_user_due on azure_user (reconcile_at) where reconcile_at is not null;
    create index azure_user_end on azure_user (end_at) where desired = 'ready';
    create index azure_user_newest on azure_user (start_at desc) where ended_at is null;

    create table sandbox (
      id uuid primary key default gen_random_uuid(),
      provider text not null default 'azure' check (provider = 'azure'),
      group_name text not null,
      azure_user_id uuid not null references azure_user (id),
      location text not null,
      created_at timestamptz not null default portal_now(),
      delete_at timestamptz not null check (delete_at > created_at),
      -- The part of the user's credits that is set aside for it and not used yet.
      reserved_paise bigint not null check (reserved_paise >= 0),

      desired text not null default 'ready' check (desired in ('ready', 'frozen', 'gone')),
      create_sent_at timestamptz,
      -- True once the group of that name was seen to be ours. Without it nothing there is ever deleted.
      ours boolean not null default false,
      -- Its user's rights in the group, as last made so.
      access text not null default 'none' check (access in ('none', 'read', 'full')),
      ready_at timestamptz,
      metered_at timestamptz,
      blocked_at timestamptz,
      absent_at timestamptz,
      ended_at timestamptz,

      reconcile_at timestamptz default portal_now(),
      leased_until timestamptz,
      fence bigint not null default 0,
      generation bigint not null default 0,
      attempts integer not null default 0,
      trouble text,

      check (ended_at is null or (desired = 'gone' and access = 'none' and reserved_paise = 0
        and reconcile_at is null and leased_until is null))
    );
    -- Azure compares the names of groups without regard to case.
    create unique index sandbox_group on sandbox (provider, lower(group_name)) where ended_at is null;
    create index sandbox_user on sandbox (azure_user_id, created_at desc);
    create index sandbox_due on sandbox (reconcile_at) where reconcile_at is not null;
    create index sandbox_end on sandbox (delete_at) where desired <> 'gone';

    create function keep_sandbox_owner() returns trigger language plpgsql as $$
    begin
      raise exception 'the owner and the group of a sandbox never change';
    end $$;
    create trigger sandbox_owner before update on sandbox for each row
      when ((old.azure_user_id, old.group_name, old.provider) is distinct from
        (new.azure_user_id, new.group_name, new.provider))
      execute function keep_sandbox_owner();

    -- The things that stood in a sandbox, priced: history, never changed. paise is what the credits still covered of the cost.
    create table sandbox_charge (
      id bigint generated always as identity primary key,
      sandbox_id uuid not null references sandbox (id),
      from_at timestamptz not null,
      to_at timestamptz not null check (to_at > from_at),
      paise bigint not null check (paise >= 0),
      cost_paise bigint not null check (cost_paise >= paise),
      -- The things seen to stand: kinds, sizes, counts.
      standing jsonb not null,
      exclude using gist (sandbox_id with =, tstzrange(from_at, to_at) with &&)
    );
  `.execute(db)
}
