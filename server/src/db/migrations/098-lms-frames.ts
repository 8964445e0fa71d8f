import { type Kysely, sql } from 'kysely'

/**
 * Stores the origin at which an LMS registers tools, because a hosted LMS shows its pages there and not at its issuer,
 * and whether the user of a launch takes a seat.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(COLUMNS).execute(db)
}

const COLUMNS = `
alter table lms_platform add column frame_origin text check (frame_origin ~ '^https?://[^/]+$');
alter table lms_ticket add column takes_seat boolean not null default true;
`
