import { type Kysely, sql } from 'kysely'

/** A month whose invoice would have a total of zero is carried forward to the organisation's next invoice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
-- Months whose usage waits for the next invoice. A row is deleted when an invoice charges its lines.
create table carried_month (
  organisation_id uuid not null references organisation (id),
  month date not null check (extract(day from month) = 1),
  primary key (organisation_id, month)
);
`,
    )
    .execute(db)
}
