import { type Kysely, sql } from 'kysely'

/** Deletes imports of organisations that were removed before their removal did so. Imports contain credentials. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from lab_import where organisation_id in (select id from organisation where removed_at is not null)`.execute(
    db,
  )
}
