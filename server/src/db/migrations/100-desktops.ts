import { type Kysely, sql } from 'kysely'

/** Desktops in the browser: the certificate that each machine showed first, and sessions that are desktops. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table machine
      -- That of its desktop (DER) when it was first opened; another one is refused until this one has run out.
      add column desktop_certificate bytea;
    alter table remote_session
      add column kind text not null default 'terminal' check (kind in ('terminal', 'desktop'));
    create index remote_session_last on remote_session (session_hash, machine_id, opened_at) where kind = 'desktop';
  `.execute(db)
}
