import { type Kysely, sql } from 'kysely'

/**
 * Deletes imports of organisations that were removed before the removal also deleted imports. Imports contain
 * credentials.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from lab_import where organisation_id in (select id from organisation where removed_at is not null)`.execute(
    db,
  )
}
