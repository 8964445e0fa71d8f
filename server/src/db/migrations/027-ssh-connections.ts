import { type Kysely, sql } from 'kysely'

/** Adds SSH connections through the portal, which a program opens with an API key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table remote_session
  drop constraint remote_session_kind_check,
  add constraint remote_session_kind_check check (kind in ('terminal', 'desktop', 'ssh'));
`,
    )
    .execute(db)
}
