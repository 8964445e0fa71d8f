import { type Kysely, sql } from 'kysely'

/** A stop that can be undone waits for that: no time that the provider took. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table operation add column held_until timestamptz check (held_until >= asked_at);
    drop index operation_measured;
    create index operation_measured on operation (kind, vm_size, location, ended_at desc)
      include (asked_at, ready_at, held_until) where ended_at is not null;
  `.execute(db)
}
