import { type Kysely, sql } from 'kysely'

/** Adds the privacy settings of organisations: the responsible person for the data, and how long data is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table organisation_privacy (
  organisation_id uuid primary key references organisation (id) on delete cascade,
  -- Shown to learners and in invitations. Null: not stated.
  responsible text check (char_length(responsible) between 1 and 200),
  contact text check (char_length(contact) between 1 and 254),
  purpose text check (char_length(purpose) between 1 and 500),
  notice_url text check (notice_url ~ '^https://' and char_length(notice_url) <= 500),
  -- Days after which rows are deleted. Null: the installation's rules apply.
  activity_days integer check (activity_days between 1 and 3650),
  attendance_days integer check (attendance_days between 1 and 3650),
  email_days integer check (email_days between 1 and 3650),
  sign_in_days integer check (sign_in_days between 1 and 3650),
  webhook_days integer check (webhook_days between 1 and 3650)
)`,
    )
    .execute(db)
}
