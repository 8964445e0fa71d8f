import { type Kysely, sql } from 'kysely'

/** Beside the learner at a desktop: its page and its watchers' come to the process that holds it by what they were given. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The hash of the ticket that opened it: the same page says so of itself at its second socket.
    alter table remote_session add column ticket_hash bytea unique;
    -- The hash of what leads a watcher's page to the desktop's picture; null: it is a terminal's.
    alter table remote_watch add column view_hash bytea unique;
  `.execute(db)
}
