import { type Kysely, sql } from 'kysely'

/** A person's name, which nobody has to give; and how often a template was changed, so that no edit undoes another. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table portal_user
      add column name text check (name = btrim(name) and char_length(name) between 1 and 100);
    alter table template
      add column revision integer not null default 1 check (revision > 0);`.execute(db)
}
