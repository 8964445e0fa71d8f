-- Learning platforms.

-- A learning platform (LMS) that an organisation registered by LTI 1.3.
create table lms_platform (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  name text not null check (name = btrim(name) and name <> ''),
  created_at timestamptz not null default portal_now(),
  -- Settings of the LMS. They are null until a user enters them or the LMS has registered.
  issuer text,
  client_id text,
  authorization_url text,
  token_url text,
  token_audience text,
  key_set_url text,
  -- One-time code for dynamic registration, as a hash.
  registration_hash bytea unique check (length(registration_hash) = 32),
  registration_expires_at timestamptz,
  suspended_at timestamptz,
  -- Time of the last successful launch.
  worked_at timestamptz,
  frame_origin text check (frame_origin ~ '^https?://[^/]+$'),
  constraint lms_platform_check check (
      num_nulls(issuer, client_id, authorization_url, token_url, key_set_url) in (0, 5)
    ),
  constraint lms_platform_check1 check (token_audience is null or issuer is not null),
  constraint lms_platform_check2 check (num_nulls(registration_hash, registration_expires_at) in (0, 2)),
  constraint lms_platform_check3 check (registration_hash is null or issuer is null),
  constraint lms_platform_check4 check (worked_at is null or issuer is not null),
  constraint lms_platform_id_organisation_id_key unique (id, organisation_id)
);
create unique index lms_platform_client on lms_platform (organisation_id, issuer, client_id);
create unique index lms_platform_name on lms_platform (organisation_id, comparison_key(name));

-- Key pairs, one for each platform. The key of one platform must not sign for another platform: see the decision
-- record.
create table lms_key (
  id uuid default gen_random_uuid() primary key,
  platform_id uuid not null,
  organisation_id uuid not null,
  private_key bytea not null,
  modulus text not null,
  exponent text not null,
  created_at timestamptz not null default portal_now(),
  constraint lms_key_platform_id_organisation_id_fkey foreign key (platform_id, organisation_id)
    references lms_platform (id, organisation_id) on delete cascade
);
create index lms_key_platform on lms_key (platform_id, created_at);

-- A deployment of the tool on a platform, accepted by an admin.
create table lms_deployment (
  platform_id uuid not null,
  organisation_id uuid not null,
  deployment_id text not null check (length(deployment_id) >= 1 and length(deployment_id) <= 255),
  -- Time at which an admin accepted the deployment; null: the LMS has used the deployment, but no admin has accepted
  -- it.
  accepted_at timestamptz,
  seen_at timestamptz,
  constraint lms_deployment_check check (accepted_at is not null or seen_at is not null),
  constraint lms_deployment_pkey primary key (platform_id, deployment_id),
  constraint lms_deployment_platform_id_deployment_id_organisation_id_key unique (platform_id, deployment_id,
    organisation_id),
  constraint lms_deployment_platform_id_organisation_id_fkey foreign key (platform_id, organisation_id)
    references lms_platform (id, organisation_id) on delete cascade
);

-- A course of a platform from which somebody launched.
create table lms_course (
  id uuid default gen_random_uuid() primary key,
  platform_id uuid not null,
  organisation_id uuid not null,
  deployment_id text not null,
  context_id text not null check (length(context_id) >= 1 and length(context_id) <= 255),
  title text not null,
  training_id uuid,
  memberships_url text,
  seen_at timestamptz not null default portal_now(),
  -- Time at which the members are read next; null: never, because the LMS offers no roster.
  roster_due_at timestamptz,
  roster_read_at timestamptz,
  -- Consecutive failures.
  roster_attempts integer not null default 0 check (roster_attempts >= 0),
  roster_problem text,
  constraint lms_course_platform_id_deployment_id_context_id_key unique (platform_id, deployment_id, context_id),
  constraint lms_course_id_organisation_id_key unique (id, organisation_id),
  constraint lms_course_check check (roster_due_at is null or memberships_url is not null),
  constraint lms_course_platform_id_organisation_id_fkey foreign key (platform_id, organisation_id)
    references lms_platform (id, organisation_id) on delete cascade,
  constraint lms_course_platform_id_deployment_id_organisation_id_fkey foreign key (platform_id, deployment_id, organisation_id)
    references lms_deployment (platform_id, deployment_id, organisation_id) on delete cascade,
  constraint lms_course_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);
create index lms_course_roster_due on lms_course (roster_due_at) where roster_due_at is not null;
create index lms_course_training on lms_course (training_id) where training_id is not null;

-- The LMS account of a user. Its e-mail address is shown, but never identifies the user.
create table lms_identity (
  organisation_id uuid not null,
  issuer text not null,
  subject text not null check (length(subject) >= 1 and length(subject) <= 255),
  user_id uuid not null,
  bound_at timestamptz not null default portal_now(),
  -- True after a password change: the user must log in before the LMS opens the account again.
  needs_login boolean not null default false,
  constraint lms_identity_pkey primary key (organisation_id, issuer, subject),
  constraint lms_identity_user_id_issuer_key unique (user_id, issuer),
  constraint lms_identity_user_id_organisation_id_fkey foreign key (user_id, organisation_id)
    references portal_user (id, organisation_id) on delete cascade
);

-- Launches in progress. Each row is consumed once.
create table lms_launch (
  state_hash bytea primary key check (length(state_hash) = 32),
  platform_id uuid not null,
  organisation_id uuid not null,
  -- Hash of a secret that only the browser that started the launch has.
  proof_hash bytea not null check (length(proof_hash) = 32),
  expires_at timestamptz not null,
  constraint lms_launch_platform_id_organisation_id_fkey foreign key (platform_id, organisation_id)
    references lms_platform (id, organisation_id) on delete cascade
);
create index lms_launch_expiry on lms_launch (expires_at);

-- A link in a course, with the training that it opens.
create table lms_link (
  id uuid default gen_random_uuid() primary key,
  course_id uuid not null,
  organisation_id uuid not null,
  resource_link_id text not null check (length(resource_link_id) >= 1 and length(resource_link_id) <= 255),
  title text not null,
  -- Column of the gradebook; null: the LMS has no column for this activity.
  line_item_url text,
  -- What gives the score: active minutes on the machine, or points of another module. Null: no score is sent.
  score_by text check (score_by in ('minutes', 'points')),
  -- Active minutes for the full score.
  score_minutes integer check (score_minutes >= 1 and score_minutes <= 100000),
  -- Time at which the scores are computed next.
  score_due_at timestamptz,
  -- Consecutive failures of the LMS.
  score_attempts integer not null default 0 check (score_attempts >= 0),
  score_problem text,
  score_sent_at timestamptz,
  constraint lms_link_check check ((score_by is null) = (score_due_at is null)),
  constraint lms_link_check1 check (score_by is not null or score_problem is null),
  constraint lms_link_check2 check ((score_by is not distinct from 'minutes') = (score_minutes is not null)),
  constraint lms_link_course_id_resource_link_id_key unique (course_id, resource_link_id),
  constraint lms_link_id_organisation_id_key unique (id, organisation_id),
  constraint lms_link_course_id_organisation_id_fkey foreign key (course_id, organisation_id)
    references lms_course (id, organisation_id) on delete cascade
);
create index lms_link_score_due on lms_link (score_due_at) where score_due_at is not null;

-- Who is in a course, by the roster that the platform answered last.
create table lms_member (
  course_id uuid not null,
  organisation_id uuid not null,
  subject text not null check (length(subject) >= 1 and length(subject) <= 255),
  name text,
  role text not null check (role in ('learner', 'instructor')),
  constraint lms_member_pkey primary key (course_id, subject),
  constraint lms_member_course_id_organisation_id_fkey foreign key (course_id, organisation_id)
    references lms_course (id, organisation_id) on delete cascade
);

-- Learners who opened the activity, each with the score that the LMS has accepted.
create table lms_score (
  link_id uuid not null,
  organisation_id uuid not null,
  subject text not null check (length(subject) >= 1 and length(subject) <= 255),
  sent integer check (sent >= 0),
  sent_of integer check (sent_of > 0),
  -- Number of consecutive refusals of this learner's score. The next column is the time of the next attempt.
  attempts integer not null default 0 check (attempts >= 0),
  retry_at timestamptz,
  problem text,
  constraint lms_score_check check (num_nulls(sent, sent_of) in (0, 2)),
  constraint lms_score_check1 check (num_nulls(retry_at, problem) in (0, 2)),
  constraint lms_score_pkey primary key (link_id, subject),
  constraint lms_score_link_id_organisation_id_fkey foreign key (link_id, organisation_id)
    references lms_link (id, organisation_id) on delete cascade
);

-- Completed launches. The browser that completed a launch opens a session with it.
create table lms_ticket (
  token_hash bytea primary key check (length(token_hash) = 32),
  platform_id uuid not null,
  organisation_id uuid not null,
  issuer text not null,
  subject text not null,
  name text,
  -- E-mail address that the LMS sends. The address is not verified.
  email text,
  is_instructor boolean not null,
  course_id uuid not null,
  view text not null check (view in ('training', 'machine', 'class')),
  expires_at timestamptz not null,
  return_url text,
  return_data text,
  -- Hash of a cookie of the browser that completed the launch; null: the browser blocks cookies in frames.
  proof_hash bytea check (length(proof_hash) = 32),
  issued_at timestamptz not null default portal_now(),
  takes_seat boolean not null default true,
  constraint lms_ticket_check check (return_url is null or is_instructor),
  constraint lms_ticket_check1 check (return_data is null or return_url is not null),
  constraint lms_ticket_platform_id_organisation_id_fkey foreign key (platform_id, organisation_id)
    references lms_platform (id, organisation_id) on delete cascade,
  constraint lms_ticket_course_id_organisation_id_fkey foreign key (course_id, organisation_id)
    references lms_course (id, organisation_id) on delete cascade
);
create index lms_ticket_expiry on lms_ticket (expires_at);
create index lms_ticket_subject on lms_ticket (organisation_id, issuer, subject);

-- LMS that opened the session; null for every other sign-in.
alter table session add column lms_platform_id uuid references lms_platform (id) on delete cascade;
create index session_lms_platform on session (lms_platform_id) where lms_platform_id is not null;

-- A launch that was completed before an account was deleted must not create it again.
create function end_launches_of_identity() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from lms_ticket
  where organisation_id = old.organisation_id and issuer = old.issuer and subject = old.subject;
  return null;
end $$;

create trigger lms_identity_launches after delete on lms_identity
  for each row execute function end_launches_of_identity();
