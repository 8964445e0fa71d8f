import { type Kysely, sql } from 'kysely'

/** Learning management systems that launch into the portal by LTI 1.3. See docs/decisions/216-lti-tool.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table lms_platform (
  id uuid primary key default gen_random_uuid(),
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
  unique (id, organisation_id),
  check (num_nulls(issuer, client_id, authorization_url, token_url, key_set_url) in (0, 5)),
  check (token_audience is null or issuer is not null),
  check (num_nulls(registration_hash, registration_expires_at) in (0, 2)),
  check (registration_hash is null or issuer is null),
  check (worked_at is null or issuer is not null)
);
create unique index lms_platform_name on lms_platform (organisation_id, comparison_key(name));
create unique index lms_platform_client on lms_platform (organisation_id, issuer, client_id);

-- Key pairs, one for each platform. The key of one platform must not sign for another platform: see the decision
-- record.
create table lms_key (
  id uuid primary key default gen_random_uuid(),
  platform_id uuid not null,
  organisation_id uuid not null,
  private_key bytea not null,
  modulus text not null,
  exponent text not null,
  created_at timestamptz not null default portal_now(),
  foreign key (platform_id, organisation_id) references lms_platform (id, organisation_id) on delete cascade
);
create index lms_key_platform on lms_key (platform_id, created_at);

create table lms_deployment (
  platform_id uuid not null,
  organisation_id uuid not null,
  deployment_id text not null check (length(deployment_id) between 1 and 255),
  -- Time at which an admin accepted the deployment; null: the LMS has used the deployment, but no admin has accepted
  -- it.
  accepted_at timestamptz,
  seen_at timestamptz,
  primary key (platform_id, deployment_id),
  unique (platform_id, deployment_id, organisation_id),
  foreign key (platform_id, organisation_id) references lms_platform (id, organisation_id) on delete cascade,
  check (accepted_at is not null or seen_at is not null)
);

create table lms_course (
  id uuid primary key default gen_random_uuid(),
  platform_id uuid not null,
  organisation_id uuid not null,
  deployment_id text not null,
  context_id text not null check (length(context_id) between 1 and 255),
  title text not null,
  training_id uuid,
  memberships_url text,
  seen_at timestamptz not null default portal_now(),
  unique (platform_id, deployment_id, context_id),
  unique (id, organisation_id),
  foreign key (platform_id, organisation_id) references lms_platform (id, organisation_id) on delete cascade,
  foreign key (platform_id, deployment_id, organisation_id)
    references lms_deployment (platform_id, deployment_id, organisation_id) on delete cascade,
  foreign key (training_id, organisation_id) references training (id, organisation_id)
);
create index lms_course_training on lms_course (training_id) where training_id is not null;

-- The LMS account of a user. Its e-mail address is shown, but never identifies the user.
create table lms_identity (
  organisation_id uuid not null,
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  user_id uuid not null,
  bound_at timestamptz not null default portal_now(),
  primary key (organisation_id, issuer, subject),
  unique (user_id, issuer),
  foreign key (user_id, organisation_id) references portal_user (id, organisation_id) on delete cascade
);

-- Launches in progress. Each row is consumed once.
create table lms_launch (
  state_hash bytea primary key check (length(state_hash) = 32),
  platform_id uuid not null,
  organisation_id uuid not null,
  -- Hash of a secret that only the browser that started the launch has.
  proof_hash bytea not null check (length(proof_hash) = 32),
  expires_at timestamptz not null,
  foreign key (platform_id, organisation_id) references lms_platform (id, organisation_id) on delete cascade
);
create index lms_launch_expiry on lms_launch (expires_at);

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
  foreign key (platform_id, organisation_id) references lms_platform (id, organisation_id) on delete cascade,
  foreign key (course_id, organisation_id) references lms_course (id, organisation_id) on delete cascade
);
create index lms_ticket_expiry on lms_ticket (expires_at);
create index lms_ticket_subject on lms_ticket (organisation_id, issuer, subject);
`,
    )
    .execute(db)
}
