import { type Kysely, sql } from 'kysely'

/** A second factor beside the password: an authenticator app, recovery codes, and what a sign-in still has to answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table authenticator_app (
      user_id uuid primary key references portal_user on delete cascade,
      -- Sealed, for this person.
      secret bytea not null,
      -- The step of 30 s whose code was last taken: no code is taken twice.
      last_step bigint not null,
      -- Codes heard since then that may have been wrong; of one day.
      tried integer not null default 0 check (tried >= 0),
      tried_since timestamptz not null default portal_now(),
      created_at timestamptz not null default portal_now()
    );

    create table recovery_code (
      user_id uuid not null references portal_user on delete cascade,
      code_hash bytea not null,
      used_at timestamptz,
      primary key (user_id, code_hash)
    );

    -- Lives for minutes: not worth a write to the log. After a crash of the server people sign in again.
    create unlogged table challenge (
      token_hash bytea primary key,
      purpose text not null check (purpose in ('second step', 'passkey login', 'new passkey', 'proof')),
      user_id uuid references portal_user on delete cascade,
      -- A hash of the password's hash as it was when the password was entered.
      password_digest bytea,
      -- A hash of what names the browser of a sign-in, or of the session of who is signed in.
      bound_to bytea not null,
      tried integer not null default 0 check (tried between 0 and 5),
      expires_at timestamptz not null,
      check ((purpose = 'passkey login') = (user_id is null)),
      check ((purpose = 'second step') = (password_digest is not null))
    );
    create index challenge_user on challenge (user_id);
    create index challenge_expiry on challenge (expires_at);

    create table second_factor_reset (
      user_id uuid primary key references portal_user on delete cascade,
      asked_by uuid not null references portal_user on delete cascade check (asked_by <> user_id),
      asked_at timestamptz not null default portal_now(),
      expires_at timestamptz not null
    );
    create index second_factor_reset_asked_by on second_factor_reset (asked_by);

    -- When somebody last proved who they are: a session begins with that.
    alter table session add column confirmed_at timestamptz;
    update session set confirmed_at = created_at;
    alter table session alter confirmed_at set default portal_now(), alter confirmed_at set not null;

    -- Since when a person has the role that they have: what it asks of them is due some days after.
    alter table portal_user add column role_since timestamptz not null default portal_now();
    create function note_role() returns trigger language plpgsql as $$ begin
      new.role_since := portal_now();
      return new;
    end $$;
    create trigger portal_user_role_since before update of role on portal_user
      for each row when (new.role is distinct from old.role) execute function note_role();
  `.execute(db)
}
