import { type Kysely, sql } from 'kysely'

/** Activities in LMS courses, and the scores that the portal sends to their gradebook columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table lms_link (
  id uuid primary key default gen_random_uuid(),
  course_id uuid not null,
  organisation_id uuid not null,
  resource_link_id text not null check (length(resource_link_id) between 1 and 255),
  title text not null,
  -- Column of the gradebook; null: the LMS has no column for this activity.
  line_item_url text,
  -- Active minutes for the full score; null: no score is sent.
  score_minutes integer check (score_minutes between 1 and 100000),
  -- Time at which the scores are computed next.
  score_due_at timestamptz,
  -- Consecutive failures of the LMS.
  score_attempts integer not null default 0 check (score_attempts >= 0),
  score_problem text,
  score_sent_at timestamptz,
  unique (course_id, resource_link_id),
  unique (id, organisation_id),
  foreign key (course_id, organisation_id) references lms_course (id, organisation_id) on delete cascade,
  check ((score_minutes is null) = (score_due_at is null)),
  check (score_minutes is not null or score_problem is null)
);
create index lms_link_score_due on lms_link (score_due_at) where score_due_at is not null;

-- Learners who opened the activity, each with the score that the LMS has accepted.
create table lms_score (
  link_id uuid not null,
  organisation_id uuid not null,
  subject text not null check (length(subject) between 1 and 255),
  sent_minutes integer check (sent_minutes >= 0),
  sent_of integer check (sent_of > 0),
  -- Number of consecutive refusals of this learner's score. The next column is the time of the next attempt.
  attempts integer not null default 0 check (attempts >= 0),
  retry_at timestamptz,
  problem text,
  primary key (link_id, subject),
  foreign key (link_id, organisation_id) references lms_link (id, organisation_id) on delete cascade,
  check (num_nulls(sent_minutes, sent_of) in (0, 2)),
  check (num_nulls(retry_at, problem) in (0, 2))
);
`,
    )
    .execute(db)
}
