import { type Kysely, sql } from 'kysely'

/** A training that was removed is offered no more, until it is ordered again; its machines and bills stay. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table training add column removed_at timestamptz`.execute(db)
}
