import { type Kysely, sql } from 'kysely'

/**
 * A learner's machines are looked for within a training; by organisation and e-mail nobody looks but the list of users,
 * which finds the live ones by e-mail alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index machine_training_email on machine (training_id, email);
    drop index machine_organisation_email;
  `.execute(db)
}
