import { type Kysely, sql } from 'kysely'

/** AWS lab users, and the accounts that are leased to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table aws_user (
      id uuid primary key default gen_random_uuid(),
      -- The name that they sign in with at AWS: an IAM user's.
      username text not null check (username <> ''),
      -- The name that they sign in with here.
      email text not null check (email = lower(email)),
      personal_email text not null check (personal_email = lower(personal_email)),
      -- Their account here; it goes with the first step of their end.
      account_id uuid references portal_user (id) on delete set null,
      -- The account at AWS that they sign in to: known at once where it is leased, else once the user is made.
      aws_account text check (aws_account ~ '^[0-9]{12}$'),
      leased boolean not null default false,
      days integer not null check (days > 0),
      start_at timestamptz not null default portal_now(),
      end_at timestamptz not null check (end_at > start_at),
      -- Sealed: the first password at AWS. Stored before the first call, so that a repeat asks for the same.
      first_password bytea,

      desired text not null default 'ready' check (desired in ('ready', 'gone')),
      -- When a creation was last sent: one whose reply was lost may still come.
      create_sent_at timestamptz,
      ready_at timestamptz,
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

      check (not leased or aws_account is not null),
      check (ended_at is null or (desired = 'gone' and first_password is null and account_id is null
        and reconcile_at is null and leased_until is null))
    );
    create unique index aws_user_email on aws_user (email) where ended_at is null;
    create unique index aws_user_username on aws_user (lower(username)) where ended_at is null;
    create unique index aws_user_account on aws_user (account_id) where account_id is not null;
    create index aws_user_due on aws_user (reconcile_at) where reconcile_at is not null;
    create index aws_user_end on aws_user (end_at) where desired = 'ready';
    create index aws_user_newest on aws_user (start_at desc) where ended_at is null;

    -- Accounts of the pool, each known here from its first lease on.
    create table aws_account (
      id text primary key check (id ~ '^[0-9]{12}$'),
      -- The one who has it; null: nobody.
      aws_user_id uuid unique references aws_user (id),
      -- Since when it is away to be cleaned; it is free again once it was seen back, with no user of ours in it.
      retired_at timestamptz,
      look_at timestamptz,
      -- Why it is kept out of use until somebody has looked at it.
      quarantined text,
      check (retired_at is null or aws_user_id is null)
    );
    create index aws_account_away on aws_account (look_at) where retired_at is not null and quarantined is null;
  `.execute(db)
}
