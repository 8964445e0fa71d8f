import { type Kysely, sql } from 'kysely'

/**
 * The schema of the product at version 0.2.0. Later changes are separate migrations.
 *
 * Conventions:
 * - Money is integer paise. Dates have no time zone; the zone is in a column next to the date, or is the
 * organisation's.
 * - A table with `organisation_id` repeats it in its foreign keys, so that no row can refer to another organisation.
 * - Secrets are encrypted (`secrets/seal.ts`) or hashed. The comment of each column says which.
 * - A table with these columns is a work queue (`schema/leased.ts`): a worker claims rows that are due, see `reconcile/`.
 *     reconcile_at    when the row is processed next; null: no work to do
 *     leased_until    until when a worker holds the row
 *     fence           number of claims; a result is written only if no newer claim exists
 *     generation      number of changes to the desired state
 *     attempts        failures since the last success
 *     last_error      reason of the last failure, shown to users
 *     trace           traceparent of the call that changed the desired state
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [CLOCK, PEOPLE, LAB, REMOTE, SANDBOXES, MONEY, TAX, COSTS, AUDIT, WORKERS, FUNCTIONS, TRIGGERS]) {
    await sql.raw(part).execute(db)
  }
  await sql.raw(ROWS).execute(db)
}

const CLOCK = `
-- The only clock of the portal. Tests change the time by redefining the function.
create function portal_now() returns timestamptz language sql stable parallel safe return now();
`

/** Organisations, users, sessions, second factors, identity providers. */
const PEOPLE = `
create table organisation (
  id uuid primary key default gen_random_uuid(),
  name text not null check (name = btrim(name) and name <> ''),
  time_zone text not null default 'Asia/Kolkata',
  logo text,
  created_at timestamptz not null default portal_now(),
  -- A removed organisation keeps its row for its bills. Another organisation can use the name again.
  removed_at timestamptz,
  gst text,
  credit_limit_paise bigint not null default 0 check (credit_limit_paise >= 0),
  -- Users must replace a password that an admin chose when they first sign in.
  password_change_required boolean not null default false,
  -- null: the setting of the installation applies.
  second_factor text check (second_factor in ('optional', 'required')),
  -- Time at which a second factor became required. The grace period of the organisation's users starts then.
  second_factor_since timestamptz,
  -- Minutes after which an unused session ends; null: the setting of the installation applies.
  idle_minutes integer check (idle_minutes between 5 and 10080),
  passwords_allowed boolean not null default true,
  -- The organisation's id while passwords are not allowed: the foreign key below then requires a working identity
  -- provider.
  relies_on uuid generated always as (case when not passwords_allowed then id end) stored,
  check ((second_factor_since is not null) = (second_factor is not distinct from 'required')),
  -- PostgreSQL's timezone() throws for an unknown zone.
  check (timezone(time_zone, timestamptz 'epoch') is not null),
  -- The portal validates the state code and the check digit when a user enters the number.
  constraint organisation_gst check (gst ~ '^[0-9]{2}[0-9A-Z]{13}$')
);
create unique index organisation_name on organisation (lower(name)) where removed_at is null;

create table organisation_logo (
  organisation_id uuid primary key references organisation (id) on delete cascade,
  -- SHA-256 of the image. The address of the logo contains it, so that browsers can cache the image permanently.
  digest bytea not null check (octet_length(digest) = 32),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null check (octet_length(bytes) between 1 and 262144)
);
create index organisation_logo_digest on organisation_logo (digest);

create table portal_user (
  id uuid primary key default gen_random_uuid(),
  email text not null unique check (email = lower(email)),
  -- argon2id; null until the invitation is accepted.
  password_hash text,
  role text not null check (role in ('user', 'admin', 'superadmin', 'sandboxuser', 'awssandboxuser')),
  organisation_id uuid references organisation (id),
  created_at timestamptz not null default portal_now(),
  -- True if another person chose the password and therefore knows it.
  password_given boolean not null default false,
  -- Start of the grace period for the second factor that the role requires.
  role_since timestamptz not null default portal_now(),
  name text check (name = btrim(name) and char_length(name) between 1 and 100),
  check (organisation_id is not null or role not in ('user', 'admin')),
  constraint portal_user_given_password check (not password_given or password_hash is not null),
  constraint portal_user_of_organisation unique (id, organisation_id)
);
create index portal_user_organisation on portal_user (organisation_id);

create table session (
  token_hash bytea primary key,
  user_id uuid not null references portal_user (id) on delete cascade,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  id uuid not null default gen_random_uuid(),
  -- Written at most once a minute. Not indexed, so that the write touches no index.
  seen_at timestamptz not null default portal_now(),
  address text,
  -- Truncated User-Agent header.
  user_agent text check (length(user_agent) <= 512),
  -- When the user last entered a password, a code or a passkey.
  confirmed_at timestamptz not null default portal_now(),
  -- Idle limit of the installation when the session was opened; null: no limit.
  idle_minutes integer check (idle_minutes > 0)
);
create index session_by_user on session (user_id);
create index session_expiry on session (expires_at);
create unique index session_id on session (id);

-- Links in e-mails with which users set a password. The token is derived from the id.
create table invitation (
  user_id uuid not null references portal_user (id) on delete cascade,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  id uuid primary key default gen_random_uuid(),
  -- 'invitation' sets the first password, 'password' replaces a forgotten one.
  purpose text not null default 'invitation' check (purpose in ('invitation', 'password')),
  -- Time at which the link was withdrawn or replaced by a newer one.
  revoked_at timestamptz,
  constraint invitation_ends_once check (used_at is null or revoked_at is null)
);
create index invitation_user on invitation (user_id);

-- Rate limit of sign-in attempts. Unlogged: losing the counts in a crash only allows some more attempts.
create unlogged table login_lane (
  -- Keyed hash, because a user may enter the password in the field for the e-mail address.
  lane bytea primary key,
  began_at timestamptz not null,
  taken integer not null
);

-- Steps of a sign-in that wait some minutes for the user. Unlogged: after a crash users sign in again.
create unlogged table challenge (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('second step', 'passkey login', 'new passkey', 'proof')),
  user_id uuid references portal_user on delete cascade,
  -- Hash of the password hash when the user entered the password. A changed password invalidates the challenge.
  password_digest bytea,
  -- Hash of the token of the browser or the session.
  bound_to bytea not null,
  tried integer not null default 0 check (tried between 0 and 5),
  expires_at timestamptz not null,
  check ((purpose = 'passkey login') = (user_id is null)),
  check ((purpose = 'second step') = (password_digest is not null))
);
create index challenge_user on challenge (user_id);
create index challenge_expiry on challenge (expires_at);

create table authenticator_app (
  user_id uuid primary key references portal_user on delete cascade,
  -- Encrypted for this user.
  secret bytea not null,
  -- The 30 s step of the last accepted code. Codes of this step and of earlier steps are rejected.
  last_step bigint not null,
  -- Number of codes since tried_since that may have been wrong.
  tried integer not null default 0 check (tried >= 0),
  tried_since timestamptz not null default portal_now(),
  created_at timestamptz not null default portal_now()
);

create table recovery_code (
  user_id uuid not null references portal_user on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

create table passkey (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references portal_user on delete cascade,
  -- ID that the authenticator chose.
  credential_id text not null unique,
  name text not null check (name = btrim(name) and name <> ''),
  public_key bytea not null,
  -- Signature counter of the authenticator; 0 if the authenticator has no counter.
  uses bigint not null check (uses >= 0),
  transports text[] not null,
  created_at timestamptz not null default portal_now(),
  last_used_at timestamptz
);
create unique index passkey_name on passkey (user_id, lower(name));

-- Requests of a superadmin to reset a user's second factors. Another superadmin must confirm.
create table second_factor_reset (
  user_id uuid primary key references portal_user on delete cascade,
  asked_by uuid not null references portal_user on delete cascade check (asked_by <> user_id),
  asked_at timestamptz not null default portal_now(),
  expires_at timestamptz not null
);
create index second_factor_reset_asked_by on second_factor_reset (asked_by);

create table organisation_domain (
  organisation_id uuid not null references organisation,
  domain text not null check (domain = lower(domain) and length(domain) <= 253),
  verified_at timestamptz,
  verified_by text check (verified_by in ('dns', 'superadmin')),
  primary key (organisation_id, domain),
  check ((verified_at is null) = (verified_by is null))
);
-- Several organisations can claim a domain. Only one can verify it.
create unique index organisation_domain_verified on organisation_domain (domain) where verified_at is not null;

-- An organisation's OpenID provider.
create table identity_provider (
  organisation_id uuid primary key references organisation,
  issuer text not null,
  client_id text not null,
  -- Encrypted for the organisation.
  client_secret bytea not null,
  group_claim text,
  signs_out_there boolean not null,
  -- First sign-in with the current settings.
  worked_at timestamptz,
  -- The organisation, once worked_at is set. organisation.relies_on refers to this column.
  works_for uuid unique generated always as (case when worked_at is not null then organisation_id end) stored,
  -- Admins sign in here only if the provider says that they used a second factor.
  admins_need_second_factor boolean not null default false
);

-- Groups of the provider whose members get a role.
create table identity_provider_group (
  organisation_id uuid not null references identity_provider on delete cascade,
  name text not null,
  role text not null check (role in ('user', 'admin')),
  primary key (organisation_id, name)
);

-- A user's account at the provider. Users without an organisation, such as superadmins, cannot have one.
create table provider_identity (
  organisation_id uuid not null,
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  bound_at timestamptz not null default portal_now(),
  primary key (organisation_id, issuer, subject),
  unique (user_id, issuer),
  foreign key (user_id, organisation_id) references portal_user (id, organisation_id) on delete cascade
);

-- Sign-ins in progress at a provider. Each row is consumed once.
create table provider_sign_in (
  token_hash bytea primary key,
  organisation_id uuid not null references identity_provider on delete cascade,
  -- The admin who tests the settings; null for a real sign-in.
  tested_by uuid references portal_user on delete cascade,
  expires_at timestamptz not null
);
create index provider_sign_in_over on provider_sign_in (expires_at);

alter table organisation add constraint organisation_relies_on_provider
  foreign key (relies_on) references identity_provider (works_for);
`

/** Templates, trainings, machines and their runs, schedules, classes. */
const LAB = `
-- Reason why a run was opened or closed.
create domain run_cause as text check (value in (
  'create accepted', 'start accepted', 'restart accepted', 'stop accepted', 'delete accepted', 'deleted',
  'seen running', 'seen halted', 'seen stopped', 'seen changing', 'seen failed', 'seen absent', 'imported'));

-- Shown as "VM card" on screen.
create table template (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (name = btrim(name) and name <> ''),
  rate_paise bigint not null check (rate_paise >= 0),
  resource_group text not null,
  location text not null,
  vnet text not null,
  vm_size text not null,
  image_id text not null,
  os text not null check (os in ('Windows', 'Linux')),
  licence text not null check (licence in ('Windows_Server', 'none')),
  plan_publisher text,
  plan_product text,
  plan_version text,
  cpu text not null,
  memory text not null,
  storage text not null,
  disk text not null,
  created_at timestamptz not null default portal_now(),
  -- Reason why the provider rejected the last order; null: the last order was not rejected.
  refusal text,
  -- Number of changes, so that an edit cannot overwrite a concurrent one.
  revision integer not null default 1 check (revision > 0),
  check (licence = 'none' or os = 'Windows'),
  check (num_nulls(plan_publisher, plan_product, plan_version) in (0, 3))
);
create unique index template_name_any_case on template (lower(name));

create table template_assignment (
  organisation_id uuid not null references organisation (id) on delete cascade,
  template_id uuid not null references template (id) on delete cascade,
  created_at timestamptz not null default portal_now(),
  primary key (organisation_id, template_id)
);
create index template_assignment_template on template_assignment (template_id);

create table training (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id),
  name text not null check (name = btrim(name) and name <> ''),
  created_at timestamptz not null default portal_now(),
  -- Access window of learners, in the organisation's zone.
  access_start time,
  access_stop time,
  -- A removed training is not listed until it is ordered again. Its machines and bills remain.
  removed_at timestamptz,
  -- Time until which learners have access even outside the window.
  access_extended_until timestamptz,
  -- null: idle machines are not stopped.
  idle_stop_minutes integer check (idle_stop_minutes between 20 and 480),
  -- Weekdays of the access window, as in ISO 8601 (Monday is 1); null: every day.
  access_days smallint[]
    check (cardinality(access_days) between 1 and 7 and access_days <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[]),
  ends_on date,
  -- True: instructors may watch without the learner's consent. Learners see a notice when they connect.
  watched_without_asking boolean not null default false,
  files_allowed boolean not null default true,
  unique (organisation_id, name),
  unique (id, organisation_id),
  check (num_nulls(access_start, access_stop) in (0, 2)),
  check (access_start <> access_stop),
  check (access_extended_until is null or access_start is not null),
  check (access_days is null or access_start is not null)
);
create index training_name on training (name);

create table machine_order (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null,
  training_id uuid not null,
  template_name text not null,
  ordered_by text not null,
  machine_count integer not null check (machine_count > 0),
  created_at timestamptz not null default portal_now(),
  foreign key (training_id, organisation_id) references training (id, organisation_id),
  unique (id, training_id, organisation_id),
  unique (id, organisation_id)
);
create index machine_order_training on machine_order (training_id, created_at);
create index machine_order_recent on machine_order (created_at);

create table machine (
  id uuid primary key default gen_random_uuid(),
  -- Part of the machine's name, so that no name is used twice.
  number bigint generated always as identity unique,
  name text not null unique,
  organisation_id uuid not null,
  training_id uuid not null,
  order_id uuid not null,
  -- The learner.
  email text not null check (email = lower(email)),

  -- Copied from the template, so that a later change of the template does not affect the machine.
  resource_group text not null,
  location text not null,
  vnet text not null,
  vm_size text not null,
  image_id text not null,
  os text not null check (os in ('Windows', 'Linux')),
  licence text not null check (licence in ('Windows_Server', 'none')),
  plan_publisher text,
  plan_product text,
  plan_version text,
  admin_username text not null,
  -- Encrypted; null once the machine is terminated.
  admin_password bytea,
  guacamole boolean not null,
  paise_per_hour bigint not null check (paise_per_hour >= 0),
  allotted_minutes integer check (allotted_minutes > 0),
  created_at timestamptz not null default portal_now(),

  -- The desired state and the last observed one.
  desired text not null default 'running' check (desired in ('running', 'stopped', 'gone')),
  observed text not null default 'absent' check (observed in ('absent', 'stopped', 'running', 'changing')),
  observed_at timestamptz,
  first_seen_at timestamptz,
  public_ip text,
  restart_asked_at timestamptz,
  -- Reason why the machine was terminated.
  ended text,
  terminated_at timestamptz,

  reconcile_at timestamptz default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,

  -- The last command sent to the provider, until its result is observed. The command is stored before it is sent, so
  -- that it is known even if the reply is lost or the worker is killed.
  command text check (command in ('create', 'start', 'stop', 'restart', 'delete')),
  -- Time of the command: measured by the portal's clock until the provider accepts the command, then by the
  -- provider's clock.
  command_at timestamptz,
  command_accepted boolean not null default false,

  -- Time at which the open run uses up the allotted minutes; null: no open run or no limit.
  quota_ends_at timestamptz,
  -- Public key of the SSH server when the machine first started. Any other key is refused.
  host_key bytea,
  -- The disk is being copied. The machine is neither started nor deleted during the copy.
  capturing boolean not null default false,
  -- The image contains the password of another machine. Learners get access once this machine has a new password.
  password_due boolean not null default false,
  -- Time at which the allotted minutes were used up. Null while a run is open.
  used_up_at timestamptz,
  -- last_error is final: the machine is not retried until a user changes its desired state.
  refused boolean not null default false,
  -- Reason why a machine was stopped; null if a user stopped it.
  stop_reason text,
  -- The stop is not sent before this time, so that the user can cancel it.
  not_before timestamptz,

  -- Reset: the machine is deleted at the provider and created again. The row, the learner and the runs remain.
  reset_asked_at timestamptz,
  -- Incremented with each new password, to tell the passwords of one machine apart.
  password_number integer not null default 1 check (password_number > 0),
  -- Time at which the current learner got the machine; null: the machine was ordered for the learner.
  handed_over_at timestamptz,
  reset_count integer not null default 0 check (reset_count >= 0),
  -- The learner for whom the machine was ordered, even after the machine was handed over to another learner.
  ordered_for text not null,

  trace text,
  -- Certificate (DER) of the desktop when it was first opened. Any other certificate is refused until this one expires.
  desktop_certificate bytea,
  -- The machine was ordered for a later time. It is not created before its desired state becomes running.
  create_later boolean not null default false,

  foreign key (training_id, organisation_id) references training (id, organisation_id),
  foreign key (order_id, training_id, organisation_id) references machine_order (id, training_id, organisation_id),
  unique (id, organisation_id),
  constraint machine_order_learner unique (order_id, ordered_for),
  check (terminated_at is not null or admin_password is not null),
  check (terminated_at is null or (desired = 'gone' and observed = 'absent' and admin_password is null
    and reconcile_at is null and leased_until is null and restart_asked_at is null)),
  check ((command is null) = (command_at is null)),
  check (terminated_at is null or command is null),
  check (used_up_at is null or quota_ends_at is null),
  check (stop_reason is null or desired <> 'running'),
  check (not_before is null or desired = 'stopped'),
  check (terminated_at is null or reset_asked_at is null),
  check (desired <> 'gone' or reset_asked_at is null),
  check (not create_later or desired <> 'running')
);
create index machine_training on machine (training_id, number);
create index machine_training_email on machine (training_id, email);
create index machine_due on machine (reconcile_at) where reconcile_at is not null;
create index machine_live on machine (organisation_id) where terminated_at is null;
create index machine_standing on machine (id) where terminated_at is null;
create index machine_changing on machine (id) where observed = 'changing';
create index machine_quota on machine (quota_ends_at) where quota_ends_at is not null;
create index machine_without_key on machine (first_seen_at)
  where host_key is null and guacamole and os = 'Linux' and terminated_at is null;
-- Search for machines whose name or e-mail address begins with a text.
create index machine_name_begins on machine (lower(name) text_pattern_ops) where terminated_at is null;
create index machine_email_begins on machine (email text_pattern_ops) where terminated_at is null;
-- Lists of the Control Center.
create index machine_failing on machine (attempts desc, number)
  where terminated_at is null and last_error is not null and desired <> 'gone';
create index machine_used_up on machine (used_up_at, number) where used_up_at is not null and terminated_at is null;

-- Usage record: a time in which the provider billed a machine, in whole seconds, with the price of its order. Runs of a
-- machine never overlap: see reject_overlapping_runs.
create table run (
  id bigint generated always as identity primary key,
  machine_id uuid not null,
  organisation_id uuid not null,
  started_at timestamptz not null check (date_trunc('second', started_at) = started_at),
  stopped_at timestamptz check (date_trunc('second', stopped_at) = stopped_at and stopped_at >= started_at),
  paise_per_hour bigint not null,
  -- Time at which a user cleared the run from the log screen. Bills and quotas still count the run.
  hidden_at timestamptz,
  opened_by run_cause not null default 'imported',
  -- Start as reported by the provider, before it was limited to the time between the previous run and now.
  opened_told_at timestamptz,
  closed_by run_cause,
  closed_told_at timestamptz,
  foreign key (machine_id, organisation_id) references machine (id, organisation_id),
  check (stopped_at is not null or closed_by is null)
);
create unique index run_open on run (machine_id) where stopped_at is null;
create index run_machine on run (machine_id, started_at) include (stopped_at, paise_per_hour);

-- Runs that ended long ago, partitioned by the month of their end: see make_run_archive. A new column of run must also
-- be added here and in all_run.
create table run_archive (
  id bigint not null,
  machine_id uuid not null,
  organisation_id uuid not null,
  started_at timestamptz not null,
  stopped_at timestamptz not null check (stopped_at >= started_at),
  paise_per_hour bigint not null,
  hidden_at timestamptz,
  opened_by run_cause not null default 'imported',
  opened_told_at timestamptz,
  closed_by run_cause,
  closed_told_at timestamptz,
  primary key (id, stopped_at),
  foreign key (machine_id, organisation_id) references machine (id, organisation_id)
) partition by range (stopped_at);
create index run_archive_machine on run_archive (machine_id, started_at) include (stopped_at, paise_per_hour);

create view all_run as
  select id, machine_id, organisation_id, started_at, stopped_at, paise_per_hour, hidden_at, opened_by,
    opened_told_at, closed_by, closed_told_at from run
  union all
  select id, machine_id, organisation_id, started_at, stopped_at, paise_per_hour, hidden_at, opened_by,
    opened_told_at, closed_by, closed_told_at from run_archive;

-- Operations on machines with the times of their steps. They show the progress of current operations, and forecast the
-- duration of later operations.
create table operation (
  id uuid primary key default gen_random_uuid(),
  machine_id uuid not null,
  organisation_id uuid not null,
  kind text not null check (kind in ('create', 'start', 'stop', 'restart', 'reset', 'delete', 'capture')),
  -- Copied from the machine, because durations are grouped by size and region.
  vm_size text not null,
  location text not null,
  asked_at timestamptz not null default portal_now(),
  -- Time just before the first call of the attempt that the provider accepted.
  sent_at timestamptz,
  -- Both times are measured by the provider's clock if the provider reports a time.
  accepted_at timestamptz,
  ended_at timestamptz check (ended_at >= asked_at),
  -- Time at which the machine first accepted connections.
  ready_at timestamptz check (ready_at >= ended_at),
  -- Time at which the portal stopped tracking the operation.
  closed_at timestamptz,
  -- Reason why the operation failed, or why the machine does not accept connections.
  reason text,
  -- Time until which the operation could be cancelled. Not part of the provider's duration.
  held_until timestamptz,
  foreign key (machine_id, organisation_id) references machine (id, organisation_id) on delete cascade,
  check (closed_at is not null or (ready_at is null and reason is null)),
  check (held_until >= asked_at)
);
create unique index operation_open on operation (machine_id) where closed_at is null and kind <> 'capture';
create unique index operation_capture on operation (machine_id) where closed_at is null and kind = 'capture';
create index operation_machine on operation (machine_id, asked_at desc);
create index operation_measured on operation (kind, vm_size, location, ended_at desc)
  include (asked_at, ready_at, held_until) where ended_at is not null;

-- Resources at the provider with the portal's tag but without a row. They are shown to superadmins and deleted only on
-- request.
create table orphan (
  resource_group text not null,
  name text not null,
  tag text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  gone_at timestamptz,
  id uuid not null default gen_random_uuid() unique,
  -- The superadmin who requested the deletion.
  deletion_asked_by text,
  deletion_asked_at timestamptz,
  -- Time at which all resources of the orphan were deleted.
  deleted_at timestamptz,
  reconcile_at timestamptz,
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  trace text,
  primary key (resource_group, name),
  check ((deletion_asked_by is null) = (deletion_asked_at is null)),
  check (deleted_at is null or deletion_asked_at is not null),
  -- Resources without the portal's tag are never deleted.
  check (deletion_asked_at is null or tag is not null)
);
create index orphan_due on orphan (reconcile_at) where reconcile_at is not null;

-- Images captured from machines.
create table image (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null,
  machine_id uuid not null,
  asked_by text not null,
  created_at timestamptz not null default portal_now(),
  -- The provider's ID of the image, known after the first step.
  image_id text unique,
  ready_at timestamptz,
  failed text,
  progress integer not null default 0 check (progress between 0 and 100),
  -- The last failure. The portal retries after it.
  last_error text,
  foreign key (machine_id, organisation_id) references machine (id, organisation_id),
  check (ready_at is null or (image_id is not null and failed is null))
);
create unique index image_at_work on image (machine_id) where ready_at is null and failed is null;
create index image_recent on image (created_at desc);

-- Ports that learners can reach on the machines of a training.
create table port (
  training_id uuid not null,
  organisation_id uuid not null,
  port integer not null check (port between 1 and 65535),
  -- Priority of the network security rule.
  priority integer not null check (priority between 1001 and 4096),
  opened_at timestamptz not null default portal_now(),
  primary key (training_id, port),
  unique (training_id, priority),
  foreign key (training_id, organisation_id) references training (id, organisation_id)
);

-- Network security group of a training in one resource group. Its rules follow the training's ports.
create table security_group (
  training_id uuid not null,
  organisation_id uuid not null,
  resource_group text not null,
  location text not null,
  reconcile_at timestamptz default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  -- The generation that the provider last matched; null: none yet.
  settled_generation bigint,
  id uuid not null default gen_random_uuid() unique,
  trace text,
  primary key (training_id, resource_group),
  foreign key (training_id, organisation_id) references training (id, organisation_id)
);
create index security_group_due on security_group (reconcile_at) where reconcile_at is not null;

-- Schedules that repeat by weekday. Each occurrence is a row of schedule.
create table recurrence (
  id uuid primary key default gen_random_uuid(),
  training_id uuid not null,
  organisation_id uuid not null,
  action text not null check (action in ('Start', 'Stop')),
  -- As in ISO 8601: Monday is 1.
  weekdays smallint[] not null
    check (cardinality(weekdays) between 1 and 7 and weekdays <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[]),
  time time not null,
  from_date date not null,
  until_date date not null,
  time_zone text not null,
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  removed_at timestamptz,
  foreign key (training_id, organisation_id) references training (id, organisation_id),
  unique (id, training_id, organisation_id),
  check (until_date between from_date and from_date + 366)
);
create index recurrence_training on recurrence (training_id) where removed_at is null;

create table schedule (
  id uuid primary key default gen_random_uuid(),
  training_id uuid not null,
  organisation_id uuid not null,
  action text not null check (action in ('Start', 'Stop')),
  -- Date that the user entered. fires_at is the resulting instant.
  date date not null,
  time time not null,
  time_zone text not null,
  fires_at timestamptz not null,
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  completed_at timestamptz,
  missed boolean not null default false,
  removed_at timestamptz,
  -- null: the schedule does not repeat.
  recurrence_id uuid,
  foreign key (training_id, organisation_id) references training (id, organisation_id),
  unique (id, organisation_id),
  foreign key (recurrence_id, training_id, organisation_id) references recurrence (id, training_id, organisation_id)
);
create unique index schedule_once on schedule (training_id, fires_at, action) where removed_at is null;
create index schedule_due on schedule (fires_at) where completed_at is null and removed_at is null;
create index schedule_training on schedule (training_id, fires_at) where removed_at is null;
create index schedule_pending on schedule (training_id, fires_at) where completed_at is null and removed_at is null;
create index schedule_recurrence on schedule (recurrence_id, fires_at) where recurrence_id is not null;

-- Outcome of a schedule for a machine.
create table schedule_outcome (
  schedule_id uuid not null,
  organisation_id uuid not null,
  machine_id uuid not null,
  outcome text not null check (outcome in ('acted', 'skipped', 'failed')),
  reason text,
  -- Generation of the machine that the schedule created. The outcome is shown until a later change of the desired
  -- state.
  generation bigint,
  primary key (schedule_id, machine_id),
  foreign key (schedule_id, organisation_id) references schedule (id, organisation_id),
  foreign key (machine_id, organisation_id) references machine (id, organisation_id),
  check (outcome = 'acted' or generation is null)
);

-- Times by which the machines of a training must accept connections. Each machine starts earlier by its usual start
-- duration.
create table ready_by (
  id uuid primary key default gen_random_uuid(),
  training_id uuid not null,
  organisation_id uuid not null,
  -- Date as the user entered it, in the organisation's zone at that time.
  date text not null,
  time text not null,
  time_zone text not null,
  ready_at timestamptz not null,
  asked_by text not null,
  created_at timestamptz not null default portal_now(),
  started_at timestamptz,
  missed boolean not null default false,
  removed_at timestamptz,
  -- null: all machines of the training.
  order_id uuid,
  foreign key (training_id, organisation_id) references training (id, organisation_id),
  unique (id, organisation_id),
  foreign key (order_id, organisation_id) references machine_order (id, organisation_id),
  check (not missed or started_at is null)
);
create unique index ready_by_once on ready_by (training_id, ready_at, order_id) nulls not distinct
  where removed_at is null;
create index ready_by_waiting on ready_by (ready_at) where started_at is null and not missed and removed_at is null;

-- Machines that a ready_by row started.
create table ready_machine (
  ready_by_id uuid not null,
  organisation_id uuid not null,
  machine_id uuid not null,
  -- Reason why the machine could not be started.
  refused text,
  primary key (ready_by_id, machine_id),
  foreign key (ready_by_id, organisation_id) references ready_by (id, organisation_id),
  foreign key (machine_id, organisation_id) references machine (id, organisation_id) on delete cascade
);

-- Activity of a machine. These columns change every minute, so they are not in machine, whose rows the reconciler
-- locks.
create table machine_activity (
  machine_id uuid primary key,
  organisation_id uuid not null,
  -- Last input in a terminal.
  input_at timestamptz,
  -- Percentage CPU of the last measured minute, and the end of this minute.
  cpu_percent double precision check (cpu_percent between 0 and 100),
  cpu_at timestamptz,
  -- End of the last minute in which the CPU was in use.
  busy_at timestamptz,
  -- Time at which the learner last confirmed to be present.
  here_at timestamptz,
  -- Time at which the learner was warned, and time at which the idle machine is stopped.
  warned_at timestamptz,
  stops_at timestamptz,
  foreign key (machine_id, organisation_id) references machine (id, organisation_id) on delete cascade,
  check ((cpu_percent is null) = (cpu_at is null)),
  check ((warned_at is null) = (stops_at is null)),
  check (stops_at >= warned_at + interval '10 minutes')
);
create index machine_activity_warned on machine_activity (stops_at) where stops_at is not null;

-- Parts of runs in which a machine was used or idle. Parts of a run without a row were not measured.
create table activity_stretch (
  machine_id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz not null check (ended_at > began_at),
  organisation_id uuid not null,
  training_id uuid not null,
  -- True: no connection, no input, no confirmation by the learner, and no CPU usage.
  idle boolean not null,
  paise_per_hour bigint not null,
  primary key (machine_id, began_at),
  foreign key (machine_id, organisation_id) references machine (id, organisation_id) on delete cascade
);
create index activity_stretch_training on activity_stretch (training_id, ended_at);
create index activity_stretch_organisation on activity_stretch (organisation_id, ended_at);
create index activity_stretch_ended on activity_stretch (ended_at);

create table raised_hand (
  training_id uuid not null,
  organisation_id uuid not null,
  email text not null check (email = lower(email)),
  raised_at timestamptz not null default portal_now(),
  primary key (training_id, email),
  foreign key (training_id, organisation_id) references training (id, organisation_id) on delete cascade
);

-- The current announcement of a training. A new announcement replaces it.
create table announcement (
  training_id uuid primary key,
  organisation_id uuid not null,
  text text not null check (text = btrim(text) and char_length(text) between 1 and 500),
  made_by text not null,
  made_at timestamptz not null default portal_now(),
  ends_at timestamptz not null check (ends_at > made_at),
  foreign key (training_id, organisation_id) references training (id, organisation_id) on delete cascade
);
`

/** Terminals and desktops in the browser. */
const REMOTE = `
-- Permission to connect one session to one machine. A ticket is valid for one use within a minute.
create table remote_ticket (
  token_hash bytea primary key,
  session_hash bytea not null,
  user_id uuid not null references portal_user (id) on delete cascade,
  machine_id uuid not null,
  organisation_id uuid not null,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- True: the ticket allows watching the machine's learner instead of connecting.
  to_watch boolean not null default false,
  foreign key (machine_id, organisation_id) references machine (id, organisation_id)
);
create index remote_ticket_expiry on remote_ticket (expires_at);
create index remote_ticket_user on remote_ticket (user_id);

-- Terminals and desktops, open or closed.
create table remote_session (
  id uuid primary key default gen_random_uuid(),
  session_hash bytea not null,
  user_id uuid references portal_user (id) on delete set null,
  email text not null,
  machine_id uuid not null,
  organisation_id uuid not null,
  opened_at timestamptz not null default portal_now(),
  -- Updated every few seconds by the process that holds the socket.
  seen_at timestamptz not null default portal_now(),
  closed_at timestamptz,
  -- Reason why it was closed, as shown to the user.
  ended text,
  kind text not null default 'terminal' check (kind in ('terminal', 'desktop')),
  -- True: the learner saw a notice about watching without consent when connecting.
  told_watched boolean not null default false,
  -- Address at which other API processes reach the process that holds the socket; null: no address.
  held_at text,
  -- Hash of the ticket of the session. The same page presents the ticket again for its second socket.
  ticket_hash bytea unique,
  foreign key (machine_id, organisation_id) references machine (id, organisation_id),
  unique (id, organisation_id),
  check ((closed_at is null) = (ended is null))
);
create index remote_session_open on remote_session (machine_id, seen_at) where closed_at is null;
create index remote_session_closed on remote_session (machine_id, closed_at) where closed_at is not null;
create index remote_session_last on remote_session (session_hash, machine_id, opened_at) where kind = 'desktop';
create index remote_session_user on remote_session (user_id);

-- Users who watch, or requested to watch, a terminal or desktop. The watched content is not stored.
create table remote_watch (
  id uuid primary key default gen_random_uuid(),
  terminal_id uuid not null,
  organisation_id uuid not null,
  session_hash bytea not null,
  user_id uuid references portal_user (id) on delete set null,
  email text not null,
  asked_at timestamptz not null default portal_now(),
  -- Time since which the watcher sees the screen; null: the learner has not consented.
  began_at timestamptz,
  closed_at timestamptz,
  -- Reason why watching ended, as shown to the user.
  ended text,
  -- Hash of the token for the desktop's picture; null for a terminal.
  view_hash bytea unique,
  foreign key (terminal_id, organisation_id) references remote_session (id, organisation_id) on delete cascade,
  check ((closed_at is null) = (ended is null))
);
create index remote_watch_terminal on remote_watch (terminal_id, organisation_id);
create index remote_watch_open on remote_watch (asked_at) where closed_at is null;
create index remote_watch_user on remote_watch (user_id);

-- Times from the user's click to the first prompt or frame, as measured by browsers.
create table remote_opening (
  -- Hash of the ticket. Each opening is counted once.
  ticket_hash bytea primary key,
  user_id uuid references portal_user (id) on delete set null,
  machine_id uuid not null,
  organisation_id uuid not null,
  kind text not null check (kind in ('terminal', 'desktop')),
  -- Copied from the machine, because times are grouped by size and region.
  vm_size text not null,
  location text not null,
  milliseconds integer not null check (milliseconds > 0),
  measured_at timestamptz not null default portal_now(),
  foreign key (machine_id, organisation_id) references machine (id, organisation_id) on delete cascade
);
create index remote_opening_measured on remote_opening (kind, vm_size, location, measured_at desc)
  include (user_id, milliseconds);
create index remote_opening_machine on remote_opening (machine_id, measured_at desc);
create index remote_opening_user on remote_opening (user_id, measured_at);
create index remote_opening_age on remote_opening (measured_at);

-- File uploads and downloads, in progress or finished.
create table file_transfer (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references portal_user (id) on delete set null,
  email text not null,
  -- Session that transferred the last piece. The transfer pauses when the session ends. Another session of the user can
  -- resume it.
  session_hash bytea not null,
  machine_id uuid not null,
  organisation_id uuid not null,
  direction text not null check (direction in ('upload', 'download')),
  path text not null,
  -- Size in bytes; null for a download that has not started.
  size integer check (size >= 0),
  done integer not null default 0 check (done >= 0 and done <= size),
  -- For an upload: hash of the hashes of all received pieces.
  digest bytea,
  replaces boolean not null default false,
  asked_at timestamptz not null default portal_now(),
  moved_at timestamptz not null default portal_now(),
  ended_at timestamptz,
  -- Outcome of the transfer, as shown to the user.
  result text,
  foreign key (machine_id, organisation_id) references machine (id, organisation_id),
  check ((ended_at is null) = (result is null)),
  check (direction = 'download' or size is not null)
);
create index file_transfer_user on file_transfer (user_id, asked_at desc);
create index file_transfer_machine on file_transfer (machine_id);
create index file_transfer_open on file_transfer (moved_at) where ended_at is null;
`

/** Lab users of Azure and AWS. */
const SANDBOXES = `
create table azure_user (
  -- The userId on screen. Names of the user's sandboxes begin with the first part of this ID.
  id uuid primary key default gen_random_uuid(),
  -- Login name, in the portal and at Azure.
  email text not null check (email = lower(email)),
  personal_email text not null check (personal_email = lower(personal_email)),
  -- The user's account in the portal. It is deleted in the first step of removing the user.
  account_id uuid references portal_user (id) on delete set null,
  days integer not null check (days > 0),
  start_at timestamptz not null default portal_now(),
  end_at timestamptz not null check (end_at > start_at),
  -- Encrypted first password at Azure. It is stored before the first call, so that a retry sends the same password.
  first_password bytea,
  total_paise bigint not null check (total_paise >= 0),
  consumed_paise bigint not null default 0 check (consumed_paise >= 0),
  desired text not null default 'ready' check (desired in ('ready', 'gone')),
  -- Time at which the creation was last sent. If the reply was lost, the user may still appear at Azure.
  create_sent_at timestamptz,
  -- Azure's ID of the user, once known.
  object_id text,
  blocked_at timestamptz,
  -- Time since which the user is missing at Azure.
  absent_at timestamptz,
  ended_at timestamptz,
  reconcile_at timestamptz default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  trace text,
  check (consumed_paise <= total_paise),
  check (ended_at is null or (desired = 'gone' and first_password is null and account_id is null
    and reconcile_at is null and leased_until is null))
);
create unique index azure_user_email on azure_user (email) where ended_at is null;
create unique index azure_user_account on azure_user (account_id) where account_id is not null;
create index azure_user_due on azure_user (reconcile_at) where reconcile_at is not null;
create index azure_user_end on azure_user (end_at) where desired = 'ready';
create index azure_user_newest on azure_user (start_at desc) where ended_at is null;

-- Resource groups of Azure lab users.
create table sandbox (
  id uuid primary key default gen_random_uuid(),
  provider text not null default 'azure' check (provider = 'azure'),
  group_name text not null,
  azure_user_id uuid not null references azure_user (id),
  location text not null,
  created_at timestamptz not null default portal_now(),
  delete_at timestamptz not null check (delete_at > created_at),
  desired text not null default 'ready' check (desired in ('ready', 'frozen', 'gone')),
  create_sent_at timestamptz,
  -- True if the group at Azure carries the portal's tag. Otherwise its contents are never deleted.
  ours boolean not null default false,
  -- The user's rights in the group, as last granted.
  access text not null default 'none' check (access in ('none', 'read', 'full')),
  ready_at timestamptz,
  metered_at timestamptz,
  blocked_at timestamptz,
  absent_at timestamptz,
  ended_at timestamptz,
  reconcile_at timestamptz default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  -- Names and types of resources without a price when the sandbox was last metered. They are not charged.
  not_priced text[] not null default '{}',
  -- Time at which the group was last seen. Creations sent before this time are no longer pending.
  seen_at timestamptz,
  -- Cost per hour of the resources found when the sandbox was last metered.
  paise_per_hour double precision not null default 0,
  trace text,
  check (ended_at is null or (desired = 'gone' and access = 'none' and reconcile_at is null and leased_until is null))
);
-- Azure ignores case when it compares names of groups.
create unique index sandbox_group on sandbox (provider, lower(group_name)) where ended_at is null;
create index sandbox_user on sandbox (azure_user_id, created_at desc);
create index sandbox_due on sandbox (reconcile_at) where reconcile_at is not null;
create index sandbox_end on sandbox (delete_at) where desired <> 'gone';

-- Cost of the resources of a sandbox over a period. Insert-only.
create table sandbox_charge (
  id bigint generated always as identity primary key,
  sandbox_id uuid not null references sandbox (id),
  from_at timestamptz not null,
  to_at timestamptz not null check (to_at > from_at),
  -- Part of the cost that the user's credits covered.
  paise bigint not null check (paise >= 0),
  cost_paise bigint not null check (cost_paise >= paise),
  -- Types, sizes and numbers of the resources.
  resources jsonb not null
);
create index sandbox_charge_sandbox on sandbox_charge (sandbox_id, from_at);

create table aws_user (
  id uuid primary key default gen_random_uuid(),
  -- Name of the IAM user.
  username text not null check (username <> ''),
  -- Login name in the portal.
  email text not null check (email = lower(email)),
  personal_email text not null check (personal_email = lower(personal_email)),
  -- The user's account in the portal. It is deleted in the first step of removing the user.
  account_id uuid references portal_user (id) on delete set null,
  -- AWS account of the user. A leased account is known from the start, the portal's own account once the IAM user
  -- exists.
  aws_account text check (aws_account ~ '^[0-9]{12}$'),
  leased boolean not null default false,
  days integer not null check (days > 0),
  start_at timestamptz not null default portal_now(),
  end_at timestamptz not null check (end_at > start_at),
  -- Encrypted first password at AWS. It is stored before the first call, so that a retry sends the same password.
  first_password bytea,
  desired text not null default 'ready' check (desired in ('ready', 'gone')),
  -- Time at which the creation was last sent. If the reply was lost, the user may still appear at AWS.
  create_sent_at timestamptz,
  ready_at timestamptz,
  blocked_at timestamptz,
  -- Time since which the user is missing at AWS.
  absent_at timestamptz,
  ended_at timestamptz,
  reconcile_at timestamptz default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  trace text,
  check (not leased or aws_account is not null),
  check (ended_at is null or (desired = 'gone' and first_password is null and account_id is null
    and reconcile_at is null and leased_until is null))
);
create unique index aws_user_email on aws_user (email) where ended_at is null;
create unique index aws_user_username on aws_user (lower(username)) where ended_at is null;
create unique index aws_user_account on aws_user (account_id) where account_id is not null;
create index aws_user_due on aws_user (reconcile_at) where reconcile_at is not null;
create index aws_user_end on aws_user (end_at) where desired = 'ready';
create index aws_user_newest on aws_user (start_at desc) where ended_at is null;

-- AWS accounts of the pool that were leased at least once.
create table aws_account (
  id text primary key check (id ~ '^[0-9]{12}$'),
  -- The user who leases the account; null: no user.
  aws_user_id uuid unique references aws_user (id),
  -- Time since which the account is being cleaned. The account can be leased again once AWS has returned it without the
  -- portal's users.
  retired_at timestamptz,
  -- Time of the next check whether the account was returned.
  look_at timestamptz,
  -- Reason why the account is not used until an operator has checked it.
  quarantined text,
  check (retired_at is null or aws_user_id is null)
);
create index aws_account_away on aws_account (look_at) where retired_at is not null and quarantined is null;
`

/** Ledger, payments, refunds, budgets. */
const MONEY = `
-- Amounts that organisations owe and have paid. Insert-only: a correction is a new entry.
create table ledger_entry (
  id bigint generated always as identity primary key,
  organisation_id uuid not null references organisation (id),
  kind text not null check (kind in ('invoice', 'payment', 'refund', 'tds')),
  -- Number of the invoice, payment, refund or TDS certificate.
  reference text not null check (reference = btrim(reference) and reference <> ''),
  particular text not null,
  -- Negative for a correction.
  amount_paise bigint not null check (amount_paise <> 0),
  -- Date in the organisation's zone.
  date date not null,
  -- 'issued': the portal issued the tax document of the entry.
  source text not null check (source in ('manual', 'provider', 'issued')),
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  -- Number of the refunded payment.
  refund_of text,
  -- Section of the Income-tax Act under which tax was deducted.
  tds_section text check (tds_section ~ '^[0-9A-Za-z() .,/-]{1,20}$'),
  -- Financial year from April to March, such as '26-27'.
  tds_year text check (tds_year ~ '^[0-9]{2}-[0-9]{2}$'
    and mod(left(tds_year, 2)::int + 1, 100) = right(tds_year, 2)::int),
  -- 1 is the quarter that begins in April.
  tds_quarter smallint check (tds_quarter between 1 and 4),
  unique (organisation_id, kind, reference),
  -- tax_document refers to these columns and repeats the amount.
  unique (organisation_id, kind, reference, amount_paise),
  check ((kind = 'refund') = (refund_of is not null)),
  check (kind <> 'refund' or amount_paise > 0),
  constraint ledger_entry_tds check (case when kind = 'tds'
    then tds_section is not null and tds_year is not null and tds_quarter is not null and amount_paise > 0
    else tds_section is null and tds_year is null and tds_quarter is null end)
);
-- Each payment at the provider is credited once, regardless of its order.
create unique index ledger_entry_provider on ledger_entry (reference) where source = 'provider';
-- Covers a page of an account, because the entries of an account are scattered over the table.
create index ledger_entry_organisation on ledger_entry (organisation_id, date, id)
  include (kind, amount_paise, particular, reference);
create index ledger_entry_refund on ledger_entry (refund_of) where refund_of is not null;

-- Sums of ledger_entry, maintained by update_ledger_balance.
create table ledger_balance (
  organisation_id uuid primary key references organisation (id),
  invoice_paise bigint not null,
  -- Sum of payments and TDS minus refunds.
  payment_paise bigint not null
);

-- Requests for a payment, sent by e-mail. A request has at most one order, so that it is paid only once.
create table payment_request (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id),
  -- The provider accepts no less than one rupee.
  amount_paise bigint not null check (amount_paise >= 100),
  about text not null check (about = btrim(about) and about <> ''),
  asked_by text not null,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null check (expires_at > created_at),
  cancelled_at timestamptz,
  -- Recipients of the e-mail; empty: the request had no recipients, or ended before the e-mail was sent. Null until
  -- then.
  sent_to text[],
  unique (id, organisation_id)
);
create index payment_request_organisation on payment_request (organisation_id, created_at desc);

-- Orders at the payment provider. Paid amounts are ledger entries.
create table payment (
  -- Receipt of the order at the provider.
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id),
  amount_paise bigint not null check (amount_paise > 0),
  order_id text not null unique,
  asked_by text not null,
  created_at timestamptz not null default portal_now(),
  paid_at timestamptz,
  -- null: the order is processed only when the provider sends a webhook.
  reconcile_at timestamptz,
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  -- The provider's numbers of those payments of this order that are in the ledger.
  credited text[] not null default '{}',
  trace text,
  request uuid unique,
  unique (id, organisation_id),
  foreign key (request, organisation_id) references payment_request (id, organisation_id)
);
create index payment_due on payment (reconcile_at) where reconcile_at is not null;
create index payment_failing on payment (created_at) where last_error is not null;
create index payment_organisation on payment (organisation_id, created_at);

create table refund (
  -- Receipt and idempotency key of the refund at the provider.
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id),
  order_row uuid not null,
  -- The provider's number of the payment.
  payment text not null,
  entry_kind text not null generated always as ('payment') stored,
  -- The provider accepts no less than one rupee.
  amount_paise bigint not null check (amount_paise >= 100),
  reason text not null check (reason = btrim(reason) and reason <> ''),
  asked_by text not null,
  created_at timestamptz not null default portal_now(),
  -- 'sent': the request may have reached the provider.
  state text not null default 'wanted' check (state in ('wanted', 'sent', 'pending', 'processed', 'failed')),
  -- The provider's number of the refund.
  number text unique,
  reconcile_at timestamptz,
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  trace text,
  foreign key (order_row, organisation_id) references payment (id, organisation_id),
  foreign key (organisation_id, entry_kind, payment) references ledger_entry (organisation_id, kind, reference)
);
create index refund_due on refund (reconcile_at) where reconcile_at is not null;
create index refund_payment on refund (payment);
create index refund_organisation on refund (organisation_id, created_at);

-- Reminders of overdue invoices.
create table invoice_reminder (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id),
  entry_kind text not null generated always as ('invoice') stored,
  invoice text not null,
  after_days smallint not null check (after_days between 1 and 365),
  due_on date not null,
  -- Unpaid part of the invoice when the reminder was created.
  open_paise bigint not null check (open_paise > 0),
  created_at timestamptz not null default portal_now(),
  -- Time at which the reminder was sent, or skipped because the invoice was paid.
  ended_at timestamptz,
  sent_to text[] not null default '{}',
  unique (organisation_id, invoice, after_days),
  foreign key (organisation_id, entry_kind, invoice) references ledger_entry (organisation_id, kind, reference),
  check (ended_at is not null or sent_to = '{}')
);

-- A budget for the whole duration of a training, or for each month of an organisation.
create table budget (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id),
  -- null: monthly budget of the organisation.
  training_id uuid,
  amount_paise bigint not null check (amount_paise > 0),
  -- True: the budget is a spending cap. The machines are stopped once the budget is used up.
  spending_cap boolean not null,
  last_day date check (last_day is null or training_id is not null),
  set_by text not null,
  set_at timestamptz not null default portal_now(),
  -- Earliest time at which the budget could reach its next threshold if all of its machines ran.
  judge_at timestamptz not null default portal_now(),
  -- Time at which the spending cap was reached. Machines stay off while it is set; null: the cap is not reached.
  cap_reached_at timestamptz check (cap_reached_at is null or spending_cap),
  foreign key (training_id, organisation_id) references training (id, organisation_id),
  unique nulls not distinct (organisation_id, training_id)
);
create index budget_due on budget (judge_at);
create index budget_cap_reached on budget (organisation_id, training_id) where cap_reached_at is not null;

create table budget_alert (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id),
  training_id uuid,
  kind text not null check (kind in ('budget', 'quota')),
  percent integer not null check (percent in (80, 90, 100) or (percent = 50 and kind = 'budget')),
  -- First day of the month, for the budget of an organisation.
  month date check ((month is not null) = (training_id is null)),
  -- Paise for a budget, minutes for a quota.
  used bigint not null check (used >= 0),
  total bigint not null check (total > 0),
  at timestamptz not null default portal_now(),
  foreign key (training_id, organisation_id) references training (id, organisation_id),
  -- One alert per threshold. After the total changes, there can be another alert.
  unique nulls not distinct (organisation_id, training_id, kind, month, total, percent),
  check (kind = 'budget' or training_id is not null)
);
create index budget_alert_newest on budget_alert (organisation_id, at desc);

create table budget_alert_seen (
  alert_id uuid not null references budget_alert (id) on delete cascade,
  user_id uuid not null references portal_user (id) on delete cascade,
  primary key (alert_id, user_id)
);

-- Usage of all machines on a past day, so that the Control Center does not sum up millions of runs.
create table day_total (
  -- In the zone of the installation.
  day date primary key,
  -- Machines that ran on this day.
  machines integer not null check (machines >= 0),
  -- Rounded once for the whole day.
  amount_paise bigint not null check (amount_paise >= 0)
);
`

/** Invoices, credit notes and vouchers under the GST rules. */
const TAX = `
-- The operator of the installation, who issues the documents. One row.
create table supplier (
  single boolean primary key default true check (single),
  legal_name text,
  gstin text check (gstin ~ '^[0-9]{2}[0-9A-Z]{13}$'),
  address_line1 text,
  address_line2 text,
  city text,
  pin text check (pin ~ '^[1-9][0-9]{5}$'),
  state text check (state ~ '^[0-9]{2}$'),
  email text,
  phone text,
  bank_name text,
  account_name text,
  account_number text,
  ifsc text,
  signatory text,
  undertaking text,
  sac text not null default '998315' check (sac ~ '^99([0-9]{2}|[0-9]{4})$'),
  invoice_prefix text not null default 'INV' check (invoice_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
  credit_note_prefix text not null default 'CRN' check (credit_note_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
  receipt_prefix text not null default 'RCV' check (receipt_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
  issuing text not null default 'approval' check (issuing in ('approval', 'by itself')),
  issue_day smallint not null default 3 check (issue_day between 2 and 28),
  -- First day of the first month that is invoiced; null: no month is invoiced.
  first_month date check (extract(day from first_month) = 1),
  reminders text not null default 'off' check (reminders in ('off', 'on')),
  -- Days from the date of an invoice until it is due.
  payment_days smallint not null default 15 check (payment_days between 0 and 180),
  -- Days after the due date on which reminders are sent.
  reminder_days smallint[] not null default '{3,10,20}'
    check (cardinality(reminder_days) between 1 and 5 and 1 <= all (reminder_days) and 365 >= all (reminder_days)),
  refund_prefix text not null default 'RFV' check (refund_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
  -- First day whose payments get receipt vouchers; null: no payment gets one.
  vouchers_from date,
  check (invoice_prefix <> credit_note_prefix and invoice_prefix <> receipt_prefix
    and credit_note_prefix <> receipt_prefix),
  check (refund_prefix not in (invoice_prefix, credit_note_prefix, receipt_prefix))
);

create table tax_rate (
  valid_from date primary key,
  -- Hundredths of a per cent.
  basis_points integer not null check (basis_points between 0 and 10000)
);

-- An organisation's details as a customer.
create table organisation_billing (
  organisation_id uuid primary key references organisation (id),
  legal_name text,
  place text not null default 'india' check (place in ('india', 'sez', 'abroad')),
  address_line1 text,
  address_line2 text,
  city text,
  pin text check (pin ~ '^[1-9][0-9]{5}$'),
  state text check (state ~ '^[0-9]{2}$'),
  country text check (country ~ '^[A-Z]{2}$'),
  emails text[] not null default '{}'
);

-- A machine's usage of a month on the only invoice that charges it. The invoice was issued, or entered manually.
create table charged_line (
  machine_id uuid not null,
  month date not null check (extract(day from month) = 1),
  organisation_id uuid not null,
  seconds bigint not null check (seconds >= 0),
  amount_paise bigint not null check (amount_paise > 0),
  entry_kind text not null generated always as ('invoice') stored,
  invoice text not null,
  primary key (machine_id, month),
  foreign key (machine_id, organisation_id) references machine (id, organisation_id),
  foreign key (organisation_id, entry_kind, invoice) references ledger_entry (organisation_id, kind, reference)
);
create index charged_line_invoice on charged_line (organisation_id, invoice);

-- Issued documents. Insert-only, with consecutive numbers: see advance_document_series.
create table tax_document (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id),
  kind text not null check (kind in ('invoice', 'credit note', 'receipt voucher', 'refund voucher')),
  supplier_gstin text not null check (supplier_gstin ~ '^[0-9]{2}[0-9A-Z]{13}$'),
  prefix text not null check (prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
  -- Financial year from April to March, such as '26-27'.
  financial_year text not null,
  serial integer not null check (serial between 1 and 99999),
  number text not null unique
    generated always as (prefix || '/' || financial_year || '/' || lpad(serial::text, 5, '0')) stored,
  issued_on date not null,
  -- Month that a monthly invoice bills.
  month date check (extract(day from month) = 1),
  -- The invoice that a credit note corrects, or the receipt voucher of a refund voucher.
  of_document uuid,
  -- The payment of a receipt voucher.
  payment text,
  taxable_paise bigint not null check (taxable_paise > 0),
  cgst_paise bigint not null check (cgst_paise >= 0),
  sgst_paise bigint not null check (sgst_paise = cgst_paise),
  igst_paise bigint not null check (igst_paise >= 0 and (igst_paise = 0 or cgst_paise = 0)),
  round_off_paise bigint not null,
  total_paise bigint not null check (total_paise > 0),
  -- The document as issued: its text, its form for the e-invoice portal (null for vouchers), and its PDF.
  content jsonb not null,
  e_invoice jsonb,
  pdf bytea not null,
  created_by text not null,
  created_at timestamptz not null default portal_now(),
  -- Kinds of the ledger entries that the foreign keys below refer to. A voucher has no entry, because its payment or
  -- refund has an entry.
  entry_kind text
    generated always as (case kind when 'invoice' then 'invoice' when 'credit note' then 'payment' end) stored,
  paid_kind text generated always as (case kind when 'receipt voucher' then 'payment' end) stored,
  -- The refund of a refund voucher.
  refund text,
  refund_kind text check (refund_kind = 'refund'),
  check (char_length(number) <= 16),
  check (total_paise = taxable_paise + cgst_paise + sgst_paise + igst_paise + round_off_paise),
  check ((kind = 'invoice') = (month is not null)),
  check ((kind in ('credit note', 'refund voucher')) = (of_document is not null)),
  check ((kind = 'receipt voucher') = (payment is not null)),
  check ((kind in ('receipt voucher', 'refund voucher')) = (e_invoice is null)),
  check (financial_year = to_char(issued_on - interval '3 months', 'YY') || '-'
    || to_char(issued_on + interval '9 months', 'YY')),
  check ((kind = 'refund voucher') = (refund is not null) and (refund is null) = (refund_kind is null)),
  unique (supplier_gstin, prefix, financial_year, serial),
  unique (id, organisation_id),
  unique (organisation_id, month),
  unique (organisation_id, payment),
  unique (organisation_id, refund),
  foreign key (of_document, organisation_id) references tax_document (id, organisation_id),
  foreign key (organisation_id, entry_kind, number, total_paise)
    references ledger_entry (organisation_id, kind, reference, amount_paise),
  foreign key (organisation_id, paid_kind, payment) references ledger_entry (organisation_id, kind, reference),
  foreign key (organisation_id, refund_kind, refund) references ledger_entry (organisation_id, kind, reference)
);
create index tax_document_newest on tax_document (issued_on desc, number desc);
create index tax_document_of on tax_document (of_document) where of_document is not null;

-- Reply of the e-invoice portal for a document, with the PDF that shows the reply.
create table tax_document_registration (
  document_id uuid primary key references tax_document (id),
  irn text not null unique check (irn ~ '^[0-9a-f]{64}$'),
  ack_number text not null,
  ack_date timestamptz not null,
  signed_qr text not null,
  pdf bytea not null,
  recorded_by text not null,
  recorded_at timestamptz not null default portal_now()
);

-- Last number of each series. The app's role can only read it.
create table document_series (
  supplier_gstin text not null,
  prefix text not null,
  financial_year text not null,
  last_serial integer not null check (last_serial >= 0),
  last_issued_on date,
  primary key (supplier_gstin, prefix, financial_year)
);
`

/** Bills of the cloud providers, imported from their cost exports. */
const COSTS = `
create table cost_import (
  id uuid primary key default gen_random_uuid(),
  file_names text[] not null,
  -- Number of parts in which each file is uploaded.
  file_parts integer[] not null check (cardinality(file_parts) = cardinality(file_names)),
  -- True: unreadable lines are skipped. False: they reject the import.
  leave_out_bad boolean not null,
  made_by text not null,
  made_at timestamptz not null default portal_now(),
  state text not null default 'receiving' check (state in ('receiving', 'waiting', 'done', 'same', 'refused')),
  -- Lines read so far.
  lines_read integer not null default 0,
  -- Number of imported lines. cost_line contains only the lines that no newer export replaced.
  line_count integer not null default 0,
  bad_count integer not null default 0,
  bad_lines jsonb not null default '[]',
  -- Hash of the uncompressed files.
  digest text,
  format text,
  summary jsonb,
  refusal text,
  ended_at timestamptz,
  check ((state in ('done', 'same', 'refused')) = (ended_at is not null)),
  check ((refusal is not null) = (state = 'refused'))
);
create index cost_import_newest on cost_import (made_at desc);
create index cost_import_waiting on cost_import (made_at) where state in ('receiving', 'waiting');

create table cost_import_part (
  import_id uuid not null references cost_import (id) on delete cascade,
  file integer not null check (file >= 0),
  place integer not null check (place >= 0),
  bytes bytea not null,
  primary key (import_id, file, place)
);

create table cost_resource (
  id bigint generated always as identity primary key,
  provider text not null check (provider in ('azure', 'aws')),
  -- The provider's ID in lower case, because providers ignore case.
  key text not null,
  name text not null,
  kind text not null,
  resource_group text,
  -- The portal's tag on the newest tagged line of the resource.
  tag text check (tag in ('machine', 'sandbox', 'image', 'shared')),
  tag_value text check (tag_value is null or tag is not null),
  unique (provider, key)
);
create index cost_resource_tag on cost_resource (tag, tag_value) where tag_value is not null;

create table cost_line (
  import_id uuid not null references cost_import (id),
  file integer not null,
  line integer not null,
  -- The provider's ID of the line, if the line has one.
  identity text,
  provider text not null check (provider in ('azure', 'aws')),
  -- Subscription or account.
  account text not null,
  -- First day of the billing period. The newest export of a period replaces earlier exports.
  period date not null,
  day date not null,
  kind text not null check (kind in ('usage', 'purchase', 'credit', 'tax', 'adjustment', 'unused')),
  -- ID of cost_resource; null: no resource. Resources are never deleted, so a foreign key would have no benefit.
  resource_id bigint,
  service text not null,
  cost numeric not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  primary key (import_id, file, line)
);
create unique index cost_line_identity on cost_line (import_id, identity) where identity is not null;
create index cost_line_replaced on cost_line (provider, account, period);
create index cost_line_day on cost_line (day);
create index cost_line_resource on cost_line (resource_id, day) where resource_id is not null;

-- Assigns the cost of an unknown tag, or of a resource without a tag, to an organisation.
create table cost_adoption (
  provider text not null check (provider in ('azure', 'aws')),
  of text not null check (of in ('tag', 'resource')),
  value text not null,
  organisation_id uuid not null references organisation (id),
  training_id uuid,
  adopted_by text not null,
  adopted_at timestamptz not null default portal_now(),
  primary key (provider, of, value),
  foreign key (training_id, organisation_id) references training (id, organisation_id)
);
`

/** Audit rows, the hash chain over them, and stored replies. */
const AUDIT = `
-- One row per change, written in the transaction of the change. Insert-only.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default portal_now(),
  request_id text not null,
  call text not null,
  actor_id uuid,
  actor_email text,
  actor_role text,
  organisation_id uuid,
  detail jsonb not null,
  address text,
  -- Code of the problem if the call was refused; null if it succeeded.
  refused text,
  before jsonb,
  after jsonb,
  -- Transaction that wrote the row. The chain uses it to detect rows of transactions that are still open.
  xid xid8 not null default pg_current_xact_id(),
  -- Words for the search, truncated for calls that name very many users.
  search_words tsvector not null generated always as (to_tsvector('simple', regexp_replace(
    lower(left(coalesce(actor_email, '') || ' ' || call || ' ' || coalesce(refused, '') || ' ' ||
      coalesce(address, '') || ' ' || detail::text || ' ' || coalesce(before::text, '') || ' ' ||
      coalesce(after::text, ''), 20000)), '[^[:alnum:]]+', ' ', 'g'))) stored
);
create index audit_organisation on audit (organisation_id, at, id);
create index audit_organisation_call on audit (organisation_id, call, at, id);
create index audit_time on audit (at, id);
create index audit_person on audit (actor_email, at, id);
create index audit_call on audit (call, at, id);
create index audit_words on audit using gin (search_words);
create index audit_xid on audit (xid, id);

-- Links of the hash chain. Each link contains the hash of an audit row and the hash of the previous link.
create table audit_seal (
  position bigint primary key check (position > 0),
  -- The foreign key prevents the deletion of an audit row while its seal exists.
  audit_id bigint not null unique references audit (id),
  row_hash bytea not null check (length(row_hash) = 32),
  previous bytea not null unique check (length(previous) = 32),
  chain bytea not null unique,
  -- All rows of earlier transactions have a seal.
  complete_below xid8 not null,
  sealed_at timestamptz not null default portal_now(),
  check (chain = sha256(previous || row_hash)),
  check ((position = 1) = (previous = decode(repeat('00', 32), 'hex')))
);

-- Signed links.
create table audit_head (
  position bigint primary key check (position > 0),
  chain bytea not null check (length(chain) = 32),
  signed_at timestamptz not null,
  public_key bytea not null check (length(public_key) = 32),
  signature bytea not null check (length(signature) = 64)
);

-- Ranges of rows that were moved to a file. The chain continues from the last link in that file.
create table audit_archive (
  last_position bigint primary key,
  first_position bigint not null unique check (first_position between 1 and last_position),
  chain bytea not null unique check (length(chain) = 32),
  file text not null,
  file_hash bytea not null check (length(file_hash) = 32),
  signed_at timestamptz not null,
  public_key bytea not null check (length(public_key) = 32),
  signature bytea not null check (length(signature) = 64)
);

-- Replies to calls with an idempotency key.
create table stored_reply (
  actor_id uuid not null,
  key text not null,
  call text not null,
  body_hash bytea not null,
  -- null only within the transaction of the call.
  reply jsonb,
  created_at timestamptz not null default portal_now(),
  primary key (actor_id, key)
);
create index stored_reply_age on stored_reply (created_at);
`

/** Background tasks, worker processes, counters, and limits of the cloud. */
const WORKERS = `
create table worker_pulse (
  worker text primary key,
  seen_at timestamptz not null
);

-- Background tasks that one worker runs at a time.
create table task (
  id uuid primary key default gen_random_uuid(),
  name text not null unique,
  -- Seconds between runs.
  every double precision not null,
  reconcile_at timestamptz default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  -- Start of the last run. While that run is in progress, ended_at is the end of the previous run.
  started_at timestamptz,
  ended_at timestamptz,
  -- Seconds between the time at which the run was due and its start.
  lag_seconds double precision,
  trace text
);

-- Background tasks that every worker runs.
create table task_on_worker (
  worker text not null references worker_pulse on delete cascade,
  name text not null,
  every double precision not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  lag_seconds double precision not null,
  last_error text,
  primary key (worker, name)
);

-- Time at which the machine sweep next reads all lists of the provider. One row.
create table whole_sweep (
  single boolean primary key default true check (single),
  due_at timestamptz not null default portal_now()
);

-- Last observed state of the services that only workers use: 'cloud', 'mail'.
create table part_state (
  part text primary key,
  up boolean not null,
  seen_at timestamptz not null default portal_now()
);

-- Last observed time of the clock, to detect jumps of the clock. One row.
create table portal_clock (
  single boolean primary key default true check (single),
  seen_at timestamptz not null,
  jumped_at timestamptz,
  -- Size of the jump in seconds; negative: backwards.
  jumped_by double precision,
  check ((jumped_at is null) = (jumped_by is null))
);

-- Counts for the first screens, which would otherwise count 100,000 rows: 'users', 'live' machines by training,
-- 'failing' and 'used up' machines. Transactions only insert changes, so that they do not wait for each other. A worker
-- sums up the changes with add_up_counters.
create table counter (
  name text not null,
  training_id uuid,
  count bigint not null check (count > 0),
  unique nulls not distinct (name, training_id)
);
create table counter_change (
  id bigint generated always as identity primary key,
  name text not null,
  training_id uuid,
  change bigint not null
);

-- Token buckets that all processes share, so that all processes together respect a provider's rate limit.
create unlogged table call_bucket (
  name text primary key,
  tokens double precision not null,
  counted_at timestamptz not null,
  closed_until timestamptz not null default '-infinity'
);

-- Regions and sizes that the cloud offers, and quotas. They are read periodically, so that the portal can refuse an
-- impossible order at once.
create table cloud_place (
  location text primary key,
  looked_at timestamptz not null
);
create table cloud_size (
  location text not null references cloud_place (location) on delete cascade,
  size text not null,
  family text not null,
  cores integer not null check (cores > 0),
  -- The provider's reason why the size is not offered; null: it is offered.
  withheld text,
  primary key (location, size)
);
create table cloud_limit (
  location text not null references cloud_place (location) on delete cascade,
  -- 'cores' for the total, or a family of sizes.
  family text not null,
  used integer not null check (used >= 0),
  allowed integer not null check (allowed >= 0),
  primary key (location, family)
);
create table cloud_terms (
  publisher text not null,
  product text not null,
  plan text not null,
  accepted boolean not null,
  looked_at timestamptz not null,
  primary key (publisher, product, plan)
);
`

/**
 * Functions. A function with `security definer` runs as the owner and writes tables that the app's role cannot write.
 * Its `search_path` names pg_temp last, because a path without pg_temp searches temporary tables first.
 */
const FUNCTIONS = `
-- Calls of the app --------------------------------------------------------------------------------------------------

-- Takes a token of the bucket and returns 0, or returns the seconds until a token is available.
create or replace function take_token(bucket text, burst double precision, per_second double precision)
returns double precision language plpgsql as $$
declare
  b call_bucket;
  present timestamptz := portal_now();
  filled double precision;
begin
  insert into call_bucket (name, tokens, counted_at) values (bucket, burst, present) on conflict do nothing;
  select * into b from call_bucket where name = bucket for update;
  if b.closed_until > present then return extract(epoch from b.closed_until - present); end if;
  -- A transaction that started earlier can arrive here later, so counted_at must never decrease.
  filled := least(burst, b.tokens + greatest(0, extract(epoch from present - b.counted_at)) * per_second);
  update call_bucket set tokens = filled - case when filled >= 1 then 1 else 0 end,
    counted_at = greatest(b.counted_at, present) where name = bucket;
  return case when filled >= 1 then 0 else (1 - filled) / per_second end;
end $$;

-- Adds the changes to the counters. Does nothing while another worker runs this function.
create or replace function add_up_counters() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(hashtext('trainyard counters')) then return; end if;
  with added as (
    delete from counter_change returning name, training_id, change
  ), summed as (
    select name, training_id, sum(change) as change from added group by name, training_id having sum(change) <> 0
  )
  merge into counter t using summed s on t.name = s.name and t.training_id is not distinct from s.training_id
    when matched and t.count + s.change = 0 then delete
    when matched then update set count = t.count + s.change
    when not matched then insert (name, training_id, count) values (s.name, s.training_id, s.change);
end $$;

-- Creates the partition of run_archive for a month, because workers move rows but do not own tables. The partition is
-- created separately and then attached, so that queries of bills do not wait.
create or replace function make_run_archive(month date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first date := date_trunc('month', month);
  part text := 'run_archive_' || to_char(month, 'YYYY_MM');
begin
  perform set_config('lock_timeout', '1s', true);
  perform pg_advisory_xact_lock(hashtext('trainyard run archive'));
  if to_regclass(part) is not null then return; end if;
  execute format('create table %I (like run_archive including defaults including constraints)', part);
  execute format('alter table run_archive attach partition %I for values from (%L) to (%L)', part,
    first::timestamp at time zone 'UTC', (first + interval '1 month') at time zone 'UTC');
end $$;

-- Returns the next number of a series and the date of the last document. The series is locked until the end of the
-- transaction.
create or replace function next_document_serial(gstin text, of_prefix text, year text)
returns table (serial integer, last_issued_on date)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into document_series values (gstin, of_prefix, year, 0, null) on conflict do nothing;
  return query select s.last_serial + 1, s.last_issued_on from document_series s
    where s.supplier_gstin = gstin and s.prefix = of_prefix and s.financial_year = year for update;
end $$;

-- Computed columns --------------------------------------------------------------------------------------------------

create or replace function record_role_change() returns trigger language plpgsql as $$
begin
  new.role_since := portal_now();
  return new;
end $$;

create or replace function record_first_learner() returns trigger language plpgsql as $$
begin
  new.ordered_for := new.email;
  return new;
end $$;

-- The reason belongs to the desired state. A new desired state needs a new reason.
create or replace function clear_stop_reason() returns trigger language plpgsql as $$
begin
  new.stop_reason := null;
  return new;
end $$;

create or replace function clear_not_before() returns trigger language plpgsql as $$
begin
  new.not_before := null;
  return new;
end $$;

create or replace function clear_create_later() returns trigger language plpgsql as $$
begin
  new.create_later := false;
  return new;
end $$;

-- The app sets trainyard.trace to the traceparent of the call, for the transaction.
create or replace function record_trace() returns trigger language plpgsql as $$
begin
  new.trace := nullif(current_setting('trainyard.trace', true), '');
  return new;
end $$;

-- Returns the time at which a machine uses up its allotted minutes (while a run is open), or the time at which they
-- were used up.
create or replace function quota_of(machine_id uuid, allotted_minutes integer,
  out quota_ends_at timestamptz, out used_up_at timestamptz) language sql stable as $$
  select case when open_since is not null then open_since + make_interval(secs => left_over) end,
    case when open_since is null and left_over <= 0 then last_end end
  from (select max(started_at) filter (where stopped_at is null) as open_since, max(stopped_at) as last_end,
      allotted_minutes * 60 - coalesce(sum(date_part('epoch', stopped_at - started_at)), 0) as left_over
    from all_run r where r.machine_id = quota_of.machine_id) runs
$$;

create or replace function update_quota_of_run() returns trigger language plpgsql as $$
declare
  allotted integer;
begin
  select allotted_minutes into allotted from machine where id = new.machine_id;
  if allotted is null then return null; end if;
  update machine m set quota_ends_at = q.quota_ends_at, used_up_at = q.used_up_at
    from quota_of(new.machine_id, allotted) q
    where m.id = new.machine_id
      and (m.quota_ends_at, m.used_up_at) is distinct from (q.quota_ends_at, q.used_up_at);
  return null;
end $$;

create or replace function update_quota_of_machine() returns trigger language plpgsql as $$
begin
  select q.quota_ends_at, q.used_up_at into new.quota_ends_at, new.used_up_at
    from quota_of(new.id, new.allotted_minutes) q;
  return new;
end $$;

-- Sums and counters -------------------------------------------------------------------------------------------------

-- Rows are sorted by organisation, so that two statements cannot deadlock.
create or replace function update_ledger_balance() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into ledger_balance as balance
    select organisation_id,
      coalesce(sum(amount_paise) filter (where kind = 'invoice'), 0),
      coalesce(sum(case kind when 'refund' then -amount_paise else amount_paise end)
        filter (where kind <> 'invoice'), 0)
    from added group by organisation_id order by organisation_id
  on conflict (organisation_id) do update
    set invoice_paise = balance.invoice_paise + excluded.invoice_paise,
      payment_paise = balance.payment_paise + excluded.payment_paise;
  return null;
end $$;

create or replace function count_users() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into counter_change (name, change)
    select 'users', case tg_op when 'INSERT' then count(*) else -count(*) end from changed having count(*) > 0;
  return null;
end $$;

create or replace function count_machines_added() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into counter_change (name, training_id, change)
    select 'live', training_id, count(*) from added where terminated_at is null group by training_id
    union all select 'failing', null, count(*) from added
      where terminated_at is null and last_error is not null and desired <> 'gone' having count(*) > 0
    union all select 'used up', null, count(*) from added
      where terminated_at is null and used_up_at is not null having count(*) > 0;
  return null;
end $$;

create or replace function count_machine_changed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into counter_change (name, training_id, change)
    select name, training_id, counts_now::int - counted_before::int from (values
      ('live', new.training_id, new.terminated_at is null, old.terminated_at is null),
      ('failing', null, new.terminated_at is null and new.last_error is not null and new.desired <> 'gone',
        old.terminated_at is null and old.last_error is not null and old.desired <> 'gone'),
      ('used up', null, new.terminated_at is null and new.used_up_at is not null,
        old.terminated_at is null and old.used_up_at is not null)
    ) as counted (name, training_id, counts_now, counted_before) where counts_now <> counted_before;
  return null;
end $$;

-- Operations --------------------------------------------------------------------------------------------------------

-- Runs when a machine's generation changes, that is, with each change of its desired state. Opens the operation that
-- leads to the new state, unless this operation is already in progress.
create or replace function open_operation() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  current operation;
  needed text := case
    when new.terminated_at is not null then null
    when new.desired = 'gone' then 'delete'
    when new.reset_asked_at is not null then 'reset'
    when new.create_later then null
    when new.desired = 'stopped' then case when new.observed <> 'stopped' then 'stop' end
    when new.first_seen_at is null then 'create'
    when new.restart_asked_at is not null then 'restart'
    when new.observed <> 'running' then 'start' end;
begin
  if tg_op = 'UPDATE' then
    select * into current from operation
      where machine_id = new.id and closed_at is null and kind <> 'capture';
    if current.id is not null then
      if current.ended_at is null and current.kind = needed and old.last_error is null then return null; end if;
      if current.ended_at is not null and needed is null and new.desired = 'running' then return null; end if;
      update operation set closed_at = portal_now(), reason = case when ended_at is null then old.last_error end
        where id = current.id;
    end if;
  end if;
  if needed is not null then
    insert into operation (machine_id, organisation_id, kind, vm_size, location)
      values (new.id, new.organisation_id, needed, new.vm_size, new.location);
  end if;
  return null;
end $$;

create or replace function record_capture() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into operation (machine_id, organisation_id, kind, vm_size, location)
      select id, organisation_id, 'capture', vm_size, location from machine
      where id = new.machine_id and new.ready_at is null and new.failed is null;
  else
    update operation set closed_at = portal_now(), reason = new.failed,
      ended_at = case when new.ready_at is not null then greatest(new.ready_at, asked_at) end
    where machine_id = new.machine_id and closed_at is null and kind = 'capture';
  end if;
  return null;
end $$;

-- Rules -------------------------------------------------------------------------------------------------------------

-- A trigger instead of an exclusion constraint: see docs/decisions/103-no-gist-indexes.md.
create or replace function reject_overlapping_runs() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Locks the machine, so that concurrent transactions see each other's runs.
  perform from machine where id = new.machine_id for no key update;
  if exists (select from run where machine_id = new.machine_id and id <> new.id
      and started_at < coalesce(new.stopped_at, 'infinity')
      and tstzrange(started_at, stopped_at) && tstzrange(new.started_at, new.stopped_at)) then
    raise exception 'runs of machine % overlap', new.machine_id
      using errcode = 'exclusion_violation', table = 'run', constraint = 'run_apart';
  end if;
  return null;
end $$;

create or replace function reject_overlapping_charges() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from sandbox where id = new.sandbox_id for no key update;
  if exists (select from sandbox_charge where sandbox_id = new.sandbox_id and id <> new.id
      and from_at < new.to_at and to_at > new.from_at) then
    raise exception 'charges of sandbox % overlap', new.sandbox_id
      using errcode = 'exclusion_violation', table = 'sandbox_charge', constraint = 'sandbox_charge_apart';
  end if;
  return null;
end $$;

create or replace function reject_sandbox_change() returns trigger language plpgsql as $$
begin
  raise exception 'the owner and the group of a sandbox never change';
end $$;

create or replace function reject_payment_change() returns trigger language plpgsql as $$
begin
  raise exception 'the organisation, amount and order of a payment never change, and its payment time is final';
end $$;

create or replace function reject_payment_request_change() returns trigger language plpgsql as $$
begin
  raise exception 'the content of a payment request never changes, and it stays cancelled once it is cancelled'
    using errcode = 'check_violation';
end $$;

create or replace function reject_refund_change() returns trigger language plpgsql as $$
begin
  raise exception 'the payment and amount of a refund never change, and its result is final'
    using errcode = 'check_violation';
end $$;

-- Limits the refunds of a payment to the amount of the payment. Locks the ledger entry of the payment, so that
-- concurrent refunds are summed up. Also counts refunds made at the provider. Before entries of kind 'refund' existed,
-- such refunds were negative payments.
create or replace function limit_refunds() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare paid bigint; ours bigint; theirs bigint;
begin
  select amount_paise into paid from ledger_entry
    where organisation_id = new.organisation_id and kind = 'payment' and reference = new.payment
      and source = 'provider' for no key update;
  select coalesce(sum(amount_paise), 0) into ours from refund
    where payment = new.payment and organisation_id = new.organisation_id and state <> 'failed';
  select coalesce(sum(abs(amount_paise)), 0) into theirs from ledger_entry e
    where organisation_id = new.organisation_id
      and (refund_of = new.payment or (kind = 'payment' and amount_paise < 0 and source = 'provider'
        and particular = 'Refund of ' || new.payment))
      and not exists (select from refund r where r.number = e.reference);
  if paid is null or ours + theirs + new.amount_paise > paid then
    raise exception 'Refunds exceed the payment %', new.payment using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Limits the credit notes of an invoice to the amounts of the invoice, and the refund vouchers of a receipt voucher to
-- its amounts. Locks the row of that document, so that concurrent corrections are summed up.
create or replace function limit_corrections() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare original tax_document; corrected record;
begin
  select * into original from tax_document where id = new.of_document for no key update;
  if (new.kind, original.kind) not in (('credit note', 'invoice'), ('refund voucher', 'receipt voucher')) then
    raise exception 'A % cannot correct a %', new.kind, original.kind using errcode = 'check_violation';
  end if;
  select coalesce(sum(taxable_paise), 0) as taxable, coalesce(sum(cgst_paise), 0) as cgst,
    coalesce(sum(igst_paise), 0) as igst, coalesce(sum(total_paise), 0) as total
    into corrected from tax_document where of_document = new.of_document;
  if corrected.taxable + new.taxable_paise > original.taxable_paise
    or corrected.cgst + new.cgst_paise > original.cgst_paise
    or corrected.igst + new.igst_paise > original.igst_paise
    or corrected.total + new.total_paise > original.total_paise then
    raise exception 'Corrections exceed the amounts of %', original.number using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Accepts only the next number of a series, with a date that is not before the date of the last document.
create or replace function advance_document_series() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into document_series values (new.supplier_gstin, new.prefix, new.financial_year, 0, null)
    on conflict do nothing;
  update document_series set last_serial = new.serial, last_issued_on = new.issued_on
    where supplier_gstin = new.supplier_gstin and prefix = new.prefix and financial_year = new.financial_year
      and last_serial = new.serial - 1 and (last_issued_on is null or last_issued_on <= new.issued_on);
  if not found then
    raise exception '% is not the next number of its series', new.serial using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_audit_a_year() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select from audit where id = old.audit_id and at > portal_now() - interval '365 days') then
    raise exception 'Audit rows are kept for a year.';
  end if;
  return old;
end $$;

-- Notifications: 'machine_changed' for screens that list the machines of a training, 'class_changed' for the class. The
-- payload is the training's id, followed by the machine's unless all of the training changed. --------------------------

create or replace function notify_machine_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('machine_changed', new.training_id || ' ' || new.id);
  return null;
end $$;

create or replace function notify_operation_changed() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('machine_changed', training_id || ' ' || id) from machine where id = new.machine_id;
  return null;
end $$;

create or replace function notify_spending_cap() returns trigger language plpgsql as $$
declare budget budget := coalesce(new, old);
begin
  perform pg_notify('machine_changed', id::text) from training
    where organisation_id = budget.organisation_id and (budget.training_id is null or id = budget.training_id);
  return null;
end $$;

create or replace function notify_class_of_machine() returns trigger language plpgsql as $$
begin
  perform pg_notify('class_changed', training_id || ' ' || id) from machine where id = new.machine_id;
  return null;
end $$;

create or replace function notify_class_of_raised_hand() returns trigger language plpgsql as $$
declare hand raised_hand := coalesce(new, old);
begin
  perform pg_notify('class_changed', training_id || ' ' || id) from machine
    where training_id = hand.training_id and email = hand.email and terminated_at is null;
  return null;
end $$;

create or replace function notify_class_of_announcement() returns trigger language plpgsql as $$
begin
  perform pg_notify('class_changed', (coalesce(new, old)).training_id::text);
  return null;
end $$;

create or replace function notify_class_of_training() returns trigger language plpgsql as $$
begin
  perform pg_notify('class_changed', new.id::text);
  return null;
end $$;
`

const TRIGGERS = `
create trigger user_added after insert on portal_user referencing new table as changed
  for each statement execute function count_users();
create trigger user_removed after delete on portal_user referencing old table as changed
  for each statement execute function count_users();
create trigger portal_user_role_since before update of role on portal_user for each row
  when (new.role is distinct from old.role) execute function record_role_change();

create trigger machine_ordered_for before insert on machine
  for each row execute function record_first_learner();
create trigger machine_stop_reason before update on machine for each row
  when (old.desired is distinct from new.desired and old.stop_reason is not distinct from new.stop_reason)
  execute function clear_stop_reason();
create trigger machine_hold_ended before update of desired on machine for each row
  when (new.not_before is not null and new.desired <> 'stopped') execute function clear_not_before();
create trigger machine_create_later before update on machine for each row
  when (new.create_later and new.desired <> 'stopped') execute function clear_create_later();
create trigger machine_allotted before update on machine for each row
  when (old.allotted_minutes is distinct from new.allotted_minutes) execute function update_quota_of_machine();
create trigger machine_ordered_operation after insert on machine for each row execute function open_operation();
create trigger machine_wanted_operation after update of generation on machine for each row
  when (old.generation is distinct from new.generation) execute function open_operation();
create trigger machine_added after insert on machine referencing new table as added
  for each statement execute function count_machines_added();
create trigger machine_counted after update on machine for each row
  when ((old.terminated_at is null, old.last_error is null, old.desired = 'gone', old.used_up_at is null)
    is distinct from
    (new.terminated_at is null, new.last_error is null, new.desired = 'gone', new.used_up_at is null))
  execute function count_machine_changed();
create trigger machine_inserted after insert on machine for each row execute function notify_machine_changed();
create trigger machine_changed after update on machine for each row
  when ((old.desired, old.observed, old.public_ip, old.restart_asked_at, old.last_error, old.ended,
      old.allotted_minutes, old.capturing, old.password_due, old.reset_asked_at, old.password_number, old.email,
      old.first_seen_at)
    is distinct from (new.desired, new.observed, new.public_ip, new.restart_asked_at, new.last_error, new.ended,
      new.allotted_minutes, new.capturing, new.password_due, new.reset_asked_at, new.password_number, new.email,
      new.first_seen_at))
  execute function notify_machine_changed();

create trigger run_apart after insert or update of machine_id, started_at, stopped_at on run
  for each row execute function reject_overlapping_runs();
create trigger run_added after insert on run for each row execute function update_quota_of_run();
create trigger run_changed after update of started_at, stopped_at on run for each row
  execute function update_quota_of_run();

create trigger image_asked_operation after insert on image for each row execute function record_capture();
create trigger image_ended_operation after update on image for each row
  when (old.ready_at is null and old.failed is null and (new.ready_at is not null or new.failed is not null))
  execute function record_capture();
create trigger operation_changed after update on operation for each row execute function notify_operation_changed();

create trigger class_activity_made after insert on machine_activity for each row
  execute function notify_class_of_machine();
create trigger class_activity_changed after update on machine_activity for each row
  when (old is distinct from new) execute function notify_class_of_machine();
create trigger class_terminal_opened after insert on remote_session for each row
  execute function notify_class_of_machine();
create trigger class_terminal_closed after update of closed_at on remote_session for each row
  when (old.closed_at is distinct from new.closed_at) execute function notify_class_of_machine();
create trigger class_hand after insert or delete on raised_hand for each row
  execute function notify_class_of_raised_hand();
create trigger class_announcement after insert or update or delete on announcement for each row
  execute function notify_class_of_announcement();
create trigger class_training after update on training for each row
  when ((old.access_extended_until, old.idle_stop_minutes, old.access_start, old.access_stop)
    is distinct from (new.access_extended_until, new.idle_stop_minutes, new.access_start, new.access_stop))
  execute function notify_class_of_training();
create trigger class_training_watching after update on training for each row
  when (old.watched_without_asking is distinct from new.watched_without_asking)
  execute function notify_class_of_training();

create trigger sandbox_owner before update on sandbox for each row
  when ((old.azure_user_id, old.group_name, old.provider) is distinct from
    (new.azure_user_id, new.group_name, new.provider))
  execute function reject_sandbox_change();
create trigger sandbox_charge_apart after insert or update of sandbox_id, from_at, to_at on sandbox_charge
  for each row execute function reject_overlapping_charges();

create trigger ledger_entry_added after insert on ledger_entry referencing new table as added
  for each statement execute function update_ledger_balance();
create trigger payment_forward before update on payment for each row
  when ((old.organisation_id, old.amount_paise, old.order_id) is distinct from
      (new.organisation_id, new.amount_paise, new.order_id)
    or (old.paid_at is not null and new.paid_at is distinct from old.paid_at))
  execute function reject_payment_change();
create trigger payment_request_kept before update on payment_request for each row
  when ((old.organisation_id, old.amount_paise, old.about, old.asked_by, old.expires_at)
      is distinct from (new.organisation_id, new.amount_paise, new.about, new.asked_by, new.expires_at)
    or (old.cancelled_at is not null and new.cancelled_at is distinct from old.cancelled_at))
  execute function reject_payment_request_change();
create trigger refund_forward before update on refund for each row
  when ((old.organisation_id, old.order_row, old.payment, old.amount_paise, old.reason, old.asked_by)
      is distinct from (new.organisation_id, new.order_row, new.payment, new.amount_paise, new.reason, new.asked_by)
    or (old.state in ('processed', 'failed') and new.state <> old.state)
    or (old.number is not null and new.number is distinct from old.number))
  execute function reject_refund_change();
create trigger refund_bound before insert on refund for each row execute function limit_refunds();

create trigger tax_document_serial before insert on tax_document for each row
  execute function advance_document_series();
create trigger tax_document_credit before insert on tax_document for each row
  when (new.of_document is not null) execute function limit_corrections();

create trigger spending_cap_reached after insert on budget for each row
  when (new.cap_reached_at is not null) execute function notify_spending_cap();
create trigger spending_cap_changed after update on budget for each row
  when ((old.cap_reached_at is null) <> (new.cap_reached_at is null)) execute function notify_spending_cap();
create trigger spending_cap_removed after delete on budget for each row
  when (old.cap_reached_at is not null) execute function notify_spending_cap();

create trigger keep_audit_a_year before delete on audit_seal for each row execute function keep_audit_a_year();
${['machine', 'security_group', 'orphan', 'azure_user', 'sandbox', 'aws_user', 'payment', 'refund']
  .map(
    (table) => `
create trigger trace_of_new before insert on ${table} for each row execute function record_trace();
create trigger trace_of_wanted before update on ${table} for each row
  when (new.generation is distinct from old.generation) execute function record_trace();`,
  )
  .join('\n')}
`

const ROWS = `
insert into supplier default values;
insert into whole_sweep default values;
insert into portal_clock (seen_at) values (portal_now());
`
