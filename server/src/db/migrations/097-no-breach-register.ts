import { type Kysely, sql } from 'kysely'

/** Removes the register of data breaches: the procedure is a page of the documentation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table breach_recipient, breach`.execute(db)
}
