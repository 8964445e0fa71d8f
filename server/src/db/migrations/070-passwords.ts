import { type Kysely, sql } from 'kysely'

/** Links that set a forgotten password, invitations that are taken back, and passwords that somebody else gave. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table invitation
      -- 'invitation' sets a first password, 'password' another one in place of one that was forgotten.
      add column purpose text not null default 'invitation' check (purpose in ('invitation', 'password')),
      -- Taken back, or followed by a newer one.
      add column revoked_at timestamptz,
      add constraint invitation_ends_once check (used_at is null or revoked_at is null);

    alter table portal_user
      -- True of a password that another person knows: they gave it.
      add column password_given boolean not null default false,
      add constraint portal_user_given_password check (not password_given or password_hash is not null);
  `.execute(db)
}
