import { type Kysely, sql } from 'kysely'

/** Adds the reason why the mail server permanently rejected the e-mail of an invitation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table invitation
      add bounced_at timestamptz,
      add bounce text check (length(bounce) between 1 and 300),
      add constraint invitation_bounce_has_reason check ((bounced_at is null) = (bounce is null))`.execute(db)
}
