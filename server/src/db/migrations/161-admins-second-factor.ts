import { type Kysely, sql } from 'kysely'

/** An organisation may let its admins in through its provider only where that says that they proved a second factor. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table identity_provider add column admins_need_second_factor boolean not null default false;
  `.execute(db)
}
