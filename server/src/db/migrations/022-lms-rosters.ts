import { type Kysely, sql } from 'kysely'

/**
 * Adds the members of LMS courses as last read from the LMS, which trainings follow as rosters, and content selections.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table lms_course
  -- Time at which the members are read next; null: never, because the LMS offers no roster.
  add column roster_due_at timestamptz,
  add column roster_read_at timestamptz,
  -- Consecutive failures.
  add column roster_attempts integer not null default 0 check (roster_attempts >= 0),
  add column roster_problem text,
  add check (roster_due_at is null or memberships_url is not null);
create index lms_course_roster_due on lms_course (roster_due_at) where roster_due_at is not null;

create table lms_member (
  course_id uuid not null,
  organisation_id uuid not null,
  subject text not null check (length(subject) between 1 and 255),
  name text,
  role text not null check (role in ('learner', 'instructor')),
  primary key (course_id, subject),
  foreign key (course_id, organisation_id) references lms_course (id, organisation_id) on delete cascade
);
-- Address to which the content selection of a course is sent, with the LMS's data; null: the launch is no content
-- selection.
alter table lms_ticket
  add column return_url text check (return_url is null or is_instructor),
  add column return_data text check (return_data is null or return_url is not null);
`,
    )
    .execute(db)
}
