import { type Kysely, sql } from 'kysely'

/** An outcome remembers which wish it was, so that what came of it can be told as long as nobody wished anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The machine's generation as of which it was acted on; null: it was not.
    alter table schedule_outcome add column generation bigint,
      add check (outcome = 'acted' or generation is null);
    -- Schedules of one training that still have to fire, in their order.
    create index schedule_pending on schedule (training_id, fires_at) where completed_at is null and removed_at is null;
  `.execute(db)
}
