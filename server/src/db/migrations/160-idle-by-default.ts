import { type Kysely, sql } from 'kysely'

/** An idle limit of the installation: a session keeps the one it was opened under, for an organisation without its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- null: it was opened where there was none, or before there was any.
    alter table session add column idle_minutes integer check (idle_minutes > 0);
  `.execute(db)
}
