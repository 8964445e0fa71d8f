import { type Kysely, sql } from 'kysely'

/** The provider's numbers of the payments that an order was credited for: another order's prove nothing about it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment add column credited text[] not null default '{}'`.execute(db)
}
