import { type Kysely, sql } from 'kysely'

/** The command palette finds machines by these: the beginning of a name or of a learner's e-mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index machine_name_begins on machine (lower(name) text_pattern_ops) where terminated_at is null;
    create index machine_email_begins on machine (email text_pattern_ops) where terminated_at is null;
  `.execute(db)
}
