import { type Kysely, sql } from 'kysely'

/** The portal's use of each day that is over: the Control Center must not sum up millions of runs to be looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table day_total (
      -- A day of the portal's own zone.
      day date primary key,
      -- Machines that ran for some of it.
      machines integer not null check (machines >= 0),
      -- Their seconds at the prices of their orders, rounded once for the whole day.
      amount_paise bigint not null check (amount_paise >= 0)
    );
  `.execute(db)
}
