import { type Kysely, sql } from 'kysely'

/** Passkeys of people: public keys alone, worth nothing to who reads them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkey (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references portal_user on delete cascade,
      -- As the authenticator names it; nobody else may have the same.
      credential_id text not null unique,
      name text not null check (name = btrim(name) and name <> ''),
      public_key bytea not null,
      -- How often it was used, as it says itself; zero of one that does not count.
      uses bigint not null check (uses >= 0),
      transports text[] not null,
      created_at timestamptz not null default portal_now(),
      last_used_at timestamptz
    );
    create unique index passkey_name on passkey (user_id, lower(name));
  `.execute(db)
}
