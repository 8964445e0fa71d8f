import { type Kysely, sql } from 'kysely'

/** Invitations known by id (their tokens follow from it), names of cards once whatever the case, and parts' states. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table invitation drop column token_hash;
    alter table invitation add column id uuid primary key default gen_random_uuid();

    create unique index template_name_any_case on template (lower(name));

    -- The last that the workers saw of the parts that only they talk to: 'cloud', 'mail'.
    create table part_state (
      part text primary key,
      up boolean not null,
      seen_at timestamptz not null default portal_now()
    );
  `.execute(db)
}
