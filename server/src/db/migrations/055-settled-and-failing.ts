import { type Kysely, sql } from 'kysely'

/** Machines that stood as wanted and were shown as failing, with nothing to try again, are looked at once more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update machine set reconcile_at = portal_now()
    where terminated_at is null and reconcile_at is null and trouble is not null`.execute(db)
}
