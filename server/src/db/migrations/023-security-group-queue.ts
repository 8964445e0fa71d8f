import { type Kysely, sql } from 'kysely'

/** Security groups are claimed by an id of their own, as all rows that are their own queue. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table security_group add column id uuid not null default gen_random_uuid(), add unique (id);
  `.execute(db)
}
