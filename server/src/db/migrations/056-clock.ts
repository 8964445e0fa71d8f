import { type Kysely, sql } from 'kysely'

/** Where the portal's clock was last seen to stand, and its last jump. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table portal_clock (
      single boolean primary key default true check (single),
      seen_at timestamptz not null,
      jumped_at timestamptz,
      -- Seconds; negative: it went back.
      jumped_by double precision,
      check ((jumped_at is null) = (jumped_by is null))
    )`.execute(db)
  await sql`insert into portal_clock (seen_at) values (portal_now())`.execute(db)
}
