import { type Kysely, sql } from 'kysely'

/**
 * Adds the secrets and certificates with which the portal signs in to providers. The portal warns before they expire.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table expiring_credential (
  name text primary key check (name <> ''),
  ends_at timestamptz not null
);
`,
    )
    .execute(db)
}
