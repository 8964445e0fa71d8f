-- Lab guides with checks that run on the learner's machine.

create table guide (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  -- The guide's own id, from guide.yaml.
  slug text not null,
  -- Number of its newest version, which may have been deleted. Numbers are not used again.
  last_number integer not null default 0,
  created_at timestamptz not null default portal_now(),
  constraint guide_organisation_id_slug_key unique (organisation_id, slug),
  constraint guide_id_organisation_id_key unique (id, organisation_id)
);

-- An uploaded state of a guide. Its content never changes.
create table guide_version (
  id uuid default gen_random_uuid() primary key,
  guide_id uuid not null,
  organisation_id uuid not null,
  number integer not null check (number > 0),
  title text not null,
  -- SHA-256 of all paths and files.
  hash bytea not null,
  -- guide.yaml, as read and with its defaults.
  content jsonb not null,
  -- Trees of the texts, by step.
  texts jsonb not null,
  -- Texts in other languages, by language; see server/format/translations.ts.
  translations jsonb not null default '{}',
  -- What the author should know; see server/format/finding.ts.
  findings jsonb not null,
  -- Repository, folder and commit in Git; null: it was uploaded.
  source jsonb,
  made_by text not null,
  made_at timestamptz not null default portal_now(),
  published_at timestamptz,
  -- Why the version was published without a proof; null: it was proven.
  reason text,
  retired_at timestamptz,
  constraint guide_version_check check (published_at is not null or reason is null),
  constraint guide_version_guide_id_number_key unique (guide_id, number),
  constraint guide_version_id_organisation_id_key unique (id, organisation_id),
  constraint guide_version_guide_id_organisation_id_fkey foreign key (guide_id, organisation_id)
    references guide (id, organisation_id) on delete cascade
);

-- Contents of files by their SHA-256. Versions with the same file share its row.
create table guide_file (
  organisation_id uuid not null references organisation (id),
  hash bytea not null,
  content bytea not null,
  constraint guide_file_pkey primary key (organisation_id, hash)
);

create table guide_version_file (
  version_id uuid not null,
  organisation_id uuid not null,
  path text not null,
  hash bytea not null,
  constraint guide_version_file_pkey primary key (version_id, path),
  constraint guide_version_file_version_id_organisation_id_fkey foreign key (version_id, organisation_id)
    references guide_version (id, organisation_id) on delete cascade,
  constraint guide_version_file_organisation_id_hash_fkey foreign key (organisation_id, hash)
    references guide_file (organisation_id, hash)
);
create index guide_version_file_hash on guide_version_file (organisation_id, hash);

-- The version that learners of a training see, beside machines of one template or of every template.
create table training_guide (
  id uuid default gen_random_uuid() primary key,
  training_id uuid not null,
  organisation_id uuid not null,
  version_id uuid not null,
  -- null: every template without a guide of its own.
  template_id uuid references template (id) on delete cascade,
  attached_by text not null,
  attached_at timestamptz not null default portal_now(),
  constraint training_guide_training_id_template_id_key unique nulls not distinct (training_id, template_id),
  constraint training_guide_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id) on delete cascade,
  constraint training_guide_version_id_organisation_id_fkey foreign key (version_id, organisation_id)
    references guide_version (id, organisation_id) on delete cascade
);
create index training_guide_template on training_guide (template_id);
create index training_guide_version on training_guide (version_id);

-- What an instructor changed about a step for one training. It stays when the training gets another version.
create table training_guide_step (
  training_id uuid not null,
  organisation_id uuid not null,
  guide_id uuid not null,
  step text not null,
  hidden boolean not null,
  -- Markdown above the text of the step; empty: none.
  note text not null,
  changed_by text not null,
  changed_at timestamptz not null default portal_now(),
  constraint training_guide_step_pkey primary key (training_id, guide_id, step),
  constraint training_guide_step_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id) on delete cascade,
  constraint training_guide_step_guide_id_organisation_id_fkey foreign key (guide_id, organisation_id)
    references guide (id, organisation_id) on delete cascade
);
create index training_guide_step_guide on training_guide_step (guide_id);

-- A learner's work with a version of a guide on a machine, until the machine is reset or gets another learner.
create table guide_run (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null,
  machine_id uuid not null,
  version_id uuid not null,
  -- The learner.
  email text not null,
  -- `reset_count` of the machine at the start.
  reset_count integer not null,
  variables jsonb not null,
  started_at timestamptz not null default portal_now(),
  -- Step that the learner opened last.
  step text not null,
  -- Steps whose setup has run. An empty text stands for the setup of the guide.
  prepared text[] not null default '{}',
  -- While set and in the future, a script of this run uses the machine.
  busy_until timestamptz,
  asked_at timestamptz,
  -- A check that must be red was green: the machine may fake results.
  suspect_at timestamptz,
  -- When the completion of the guide was published, which happens once.
  completed_at timestamptz,
  constraint guide_run_id_organisation_id_key unique (id, organisation_id),
  constraint guide_run_machine_key unique (machine_id, email, version_id, reset_count),
  constraint guide_run_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id) on delete cascade,
  constraint guide_run_version_id_organisation_id_fkey foreign key (version_id, organisation_id)
    references guide_version (id, organisation_id) on delete cascade
);
create index guide_run_version on guide_run (version_id);

-- Language in which a user reads guides that have it.
create table guide_language (
  user_id uuid primary key references portal_user (id) on delete cascade,
  language text not null
);

create table task_result (
  run_id uuid not null,
  organisation_id uuid not null,
  task text not null,
  -- `solved`: the portal solved it for the learner.
  state text not null check (state in ('open', 'red', 'green', 'broken', 'skipped', 'solved')),
  points integer not null default 0 check (points >= 0),
  hints integer not null default 0 check (hints >= 0),
  -- The learner asked for the solution, so the task gives no points, also if its scripts fail.
  solve_asked_at timestamptz,
  -- Number of checks by the learner that were red.
  reds integer not null default 0 check (reds >= 0),
  -- Results of the last check, by check.
  checks jsonb not null default '{}'::jsonb,
  changed_at timestamptz not null default portal_now(),
  constraint task_result_pkey primary key (run_id, task),
  constraint task_result_run_id_organisation_id_fkey foreign key (run_id, organisation_id)
    references guide_run (id, organisation_id) on delete cascade
);

-- Scripts that ran, for authors and instructors, for 30 days.
create table check_attempt (
  id uuid default gen_random_uuid() primary key,
  run_id uuid not null,
  organisation_id uuid not null,
  task text not null,
  -- Check of the task, or the kind of another script: setup, solve or decoy.
  script text not null,
  state text not null check (state in ('green', 'red', 'broken')),
  -- null: no exit status, because of the time limit or a lost connection.
  exit_status integer,
  message text not null,
  -- What the script wrote to standard error, for the author.
  error_output text not null,
  milliseconds integer not null check (milliseconds >= 0),
  ran_at timestamptz not null default portal_now(),
  constraint check_attempt_run_id_organisation_id_fkey foreign key (run_id, organisation_id)
    references guide_run (id, organisation_id) on delete cascade
);
create index check_attempt_age on check_attempt (ran_at);
create index check_attempt_run on check_attempt (run_id, ran_at);

create table question_answer (
  run_id uuid not null,
  organisation_id uuid not null,
  question text not null,
  attempts integer not null check (attempts > 0),
  correct boolean not null,
  points integer not null check (points >= 0),
  answered_at timestamptz not null default portal_now(),
  constraint question_answer_pkey primary key (run_id, question),
  constraint question_answer_run_id_organisation_id_fkey foreign key (run_id, organisation_id)
    references guide_run (id, organisation_id) on delete cascade
);

-- A test of a version on a fresh machine of a template: a pin of both as they were then. A work queue.
create table proof (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null,
  version_id uuid not null,
  template_id uuid references template (id) on delete set null,
  template_name text not null,
  template_revision integer not null,
  image jsonb not null,
  image_id text not null generated always as (image ->> 'id') stored,
  -- E-mail address of the user who asked for it; null: the portal, before a class.
  asked_by text,
  state text not null default 'running' check (state in ('running', 'proven', 'faulty', 'incomplete', 'not run')),
  -- What the worker does with the machine. A proof has its result before its machine is deleted.
  phase text not null default 'waiting'
    check (phase in ('waiting', 'starting', 'testing', 'restarting', 'deleting', 'ended')),
  -- Why it is incomplete or was not run.
  reason text,
  variables jsonb not null,
  created_at timestamptz not null default portal_now(),
  -- Order of the first machine, from which the time limit counts.
  started_at timestamptz,
  ended_at timestamptz,
  machine_id uuid,
  -- Number of machines, because a proof begins again on a fresh one if its worker was killed.
  machines integer not null default 0,
  -- Bill of its deleted machines.
  cost_paise bigint not null default 0,
  -- Packages of the machine after the setup of the guide, with their versions; null: not listed.
  packages jsonb,
  -- Number of the part that is next, and whether its scripts have begun.
  part integer not null default 0,
  part_begun boolean not null default false,
  -- Step and task of that part.
  step text not null default '',
  task text not null default '',
  reconcile_at timestamptz default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  constraint proof_check check ((state = 'running') = (ended_at is null)),
  constraint proof_check1 check (phase <> 'ended' or state <> 'running' and machine_id is null and reconcile_at is null),
  constraint proof_id_organisation_id_key unique (id, organisation_id),
  constraint proof_version_id_organisation_id_fkey foreign key (version_id, organisation_id)
    references guide_version (id, organisation_id) on delete cascade,
  constraint proof_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id)
);
create index proof_due on proof (reconcile_at) where reconcile_at is not null;
create index proof_version on proof (version_id, created_at);
create index proof_template on proof (template_id);
create index proof_machine on proof (machine_id) where machine_id is not null;
create unique index proof_running on proof (version_id, template_id) where state = 'running';

-- What a proof found wrong with its guide.
create table proof_fault (
  proof_id uuid not null,
  organisation_id uuid not null,
  kind text not null check (kind in ('never-red', 'broken', 'guard-red', 'not-green', 'flaky', 'solve-failed',
    'setup-failed', 'setup-not-repeatable', 'no-solve', 'lost-at-end', 'lost-at-restart')),
  -- Empty for the guide.
  step text not null,
  -- Empty for a setup.
  task text not null,
  -- Check of the task, or file of another script; empty for a task without a solution.
  script text not null,
  -- null: no exit status, because of the time limit.
  exit_status integer,
  message text not null,
  -- End of what the script wrote to standard error.
  error_output text not null,
  found_at timestamptz not null default portal_now(),
  constraint proof_fault_pkey primary key (proof_id, kind, step, task, script),
  constraint proof_fault_proof_id_organisation_id_fkey foreign key (proof_id, organisation_id)
    references proof (id, organisation_id) on delete cascade
);
