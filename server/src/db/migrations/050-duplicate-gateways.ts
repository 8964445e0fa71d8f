import { type Kysely, sql } from 'kysely'

/** Adds the latest time at which two processes with the identity of the same gateway were connected. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table private_network
  add column duplicate_seen_at timestamptz,
  -- Addresses of both processes.
  add column duplicate_addresses text[] check (cardinality(duplicate_addresses) between 1 and 2),
  add check ((duplicate_seen_at is null) = (duplicate_addresses is null)),
  add check (duplicate_seen_at is null or agent_key is not null);
`,
    )
    .execute(db)
}
