import { type Kysely, sql } from 'kysely'

/** API keys of users and organisations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table api_key (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique check (length(token_hash) = 32),
  prefix text not null,
  name text not null check (name <> ''),
  kind text not null check (kind in ('personal', 'service')),
  -- User who created the key, with the user's role and organisation at that time. The user's rights limit the key.
  user_id uuid not null references portal_user on delete cascade,
  role text not null check (role in ('user', 'admin', 'superadmin')),
  organisation_id uuid references organisation on delete cascade,
  scopes text[] not null check (cardinality(scopes) > 0),
  -- Empty: the key is accepted from any address.
  networks cidr[] not null,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null check (expires_at > created_at),
  used_at timestamptz,
  used_address inet,
  check ((used_at is null) = (used_address is null)),
  check (kind = 'personal' or (role = 'admin' and organisation_id is not null))
);

create unique index api_key_of_user on api_key (user_id, comparison_key(name));
create index api_key_of_organisation on api_key (organisation_id) where organisation_id is not null;

-- Deletes the keys of a user whose role or organisation changes. If the user returns later, the old keys must not
-- become valid again.
create function remove_api_keys() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from api_key where user_id = old.id;
  return new;
end $$;
create trigger portal_user_api_keys before update of role, organisation_id on portal_user for each row
  when (new.role is distinct from old.role or new.organisation_id is distinct from old.organisation_id)
  execute function remove_api_keys();
`,
    )
    .execute(db)
}
