import { type Kysely, sql } from 'kysely'

/** Adds a setting of trainings: learners may create a planned machine early only if the setting allows it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table training add early_start boolean not null default false;
create index ready_by_next on ready_by (organisation_id, ready_at) where removed_at is null and not missed;
`,
    )
    .execute(db)
}
