import { type Kysely, sql } from 'kysely'

/** Things that stand in a sandbox and have no price are shown, and charged by nobody's guess. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Names and types, as they were when the sandbox was last metered.
    alter table sandbox add column not_priced text[] not null default '{}';
  `.execute(db)
}
