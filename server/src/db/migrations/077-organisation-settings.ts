import { type Kysely, sql } from 'kysely'

/** Settings that an organisation makes for itself: how its people sign in, and its logo, kept here and served by ourselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organisation
      -- A password that somebody else chose is to be changed at the first sign-in.
      add column password_change_required boolean not null default false,
      -- null: as the installation has it.
      add column second_factor text check (second_factor in ('optional', 'required')),
      -- When it became required: the days in which people may still set one up are counted from then.
      add column second_factor_since timestamptz,
      -- Minutes after which an unused session ends; null: when its days are over.
      add column idle_minutes integer check (idle_minutes between 5 and 10080),
      add column passwords_allowed boolean not null default true,
      add check ((second_factor_since is not null) = (second_factor is not distinct from 'required')),
      -- An unknown zone is an error of the function.
      add check (timezone(time_zone, timestamptz 'epoch') is not null),
      -- The number's state and check digit are judged where it is typed; numbers from before stay as they are.
      add constraint organisation_gst check (gst ~ '^[0-9]{2}[0-9A-Z]{13}$') not valid;

    create table organisation_logo (
      organisation_id uuid primary key references organisation (id) on delete cascade,
      -- sha256 of the bytes: it is in the address, which so stands for one image for ever.
      digest bytea not null check (octet_length(digest) = 32),
      type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
      bytes bytea not null check (octet_length(bytes) between 1 and 262144)
    );
    create index organisation_logo_digest on organisation_logo (digest);`.execute(db)
}
