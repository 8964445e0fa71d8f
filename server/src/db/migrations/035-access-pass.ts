import { type Kysely, sql } from 'kysely'

/** Adds the Temporary Access Passes of Azure lab users. A pass is stored until it is shown once or expires. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table azure_user
  add column access_pass_wanted_at timestamptz,
  -- Encrypted.
  add column access_pass bytea,
  add column access_pass_ends_at timestamptz,
  add check ((access_pass is null) = (access_pass_ends_at is null)),
  add check (access_pass_wanted_at is null or access_pass is null),
  add check (ended_at is null or (access_pass_wanted_at is null and access_pass is null));
`,
    )
    .execute(db)
}
