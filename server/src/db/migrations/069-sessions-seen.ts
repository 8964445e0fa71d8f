import { type Kysely, sql } from 'kysely'

/** Sessions as their person sees them: by an id of their own, with the browser, the address and when last seen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table session
      add column id uuid not null default gen_random_uuid(),
      -- Written at most once a minute, and never indexed: such a write touches no index.
      add column seen_at timestamptz not null default portal_now(),
      add column address text,
      -- The header User-Agent as it was sent, cut short.
      add column user_agent text check (length(user_agent) <= 512);
    create unique index session_id on session (id);
  `.execute(db)
}
