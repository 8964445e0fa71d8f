import { type Kysely, sql } from 'kysely'

/** Adds the memory of the sizes that a region offers, for choosing a size. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cloud_size add memory_mb integer check (memory_mb > 0)`.execute(db)
}
