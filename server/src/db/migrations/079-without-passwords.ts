import { type Kysely, sql } from 'kysely'

/** An organisation without passwords relies on its provider: one through which somebody has signed in, as it is now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table identity_provider add column works_for uuid unique
      generated always as (case when worked_at is not null then organisation_id end) stored;
    alter table organisation add column relies_on uuid
      generated always as (case when not passwords_allowed then id end) stored
      constraint organisation_relies_on_provider references identity_provider (works_for);`.execute(db)
}
