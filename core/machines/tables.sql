-- Orders, machines, images and operations.

-- An order of machines of one template for one training.
create table machine_order (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null,
  training_id uuid not null,
  template_name text not null,
  ordered_by text not null,
  machine_count integer not null check (machine_count > 0),
  -- Of each learner; null: without limit. A machine that waited for its learner has more.
  allotted_minutes integer check (allotted_minutes > 0),
  created_at timestamptz not null default portal_now(),
  ready_at timestamptz,
  constraint machine_order_id_training_id_organisation_id_key unique (id, training_id, organisation_id),
  constraint machine_order_id_organisation_id_key unique (id, organisation_id),
  constraint machine_order_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);
create index machine_order_recent on machine_order (created_at);
create index machine_order_training on machine_order (training_id, created_at);
create index machine_order_unready on machine_order (id) where ready_at is null;

-- A machine: what it should be and what it was last seen to be. A work queue. A terminated machine keeps its row for
-- the bill.
create table machine (
  id uuid default gen_random_uuid() primary key,
  -- Part of the machine's name, so that no name is used twice.
  number bigint generated always as identity not null unique,
  name text not null unique,
  organisation_id uuid not null,
  training_id uuid not null,
  order_id uuid not null,
  -- The learner.
  email text not null check (email = lower(email)),
  -- Copied from the template, so that a later change of the template does not affect the machine.
  provider text not null,
  place jsonb not null,
  size jsonb not null,
  image jsonb not null,
  -- Container at the provider in which the name is unique.
  place_group text not null generated always as (place ->> 'group') stored,
  location text not null generated always as (place ->> 'location') stored,
  size_name text not null generated always as (size ->> 'name') stored,
  image_id text not null generated always as (image ->> 'id') stored,
  os text not null check (os in ('Windows', 'Linux')),
  licence text not null check (licence in ('Windows_Server', 'none')),
  admin_username text not null,
  -- Encrypted; null once the machine is terminated.
  admin_password bytea,
  guacamole boolean not null,
  -- Current price; see `order_paise_per_hour`.
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
  -- True: the machine is not retried until a user changes its desired state. `last_error` is the reason.
  refused boolean not null default false,
  -- Reason why a machine was stopped; null if a user stopped it.
  stop_reason text,
  -- The stop or start is not sent before this time, so that the user can cancel it.
  not_before timestamptz,
  -- Set while a reset is in progress: the machine is deleted and created again under this row.
  reset_asked_at timestamptz,
  -- Incremented with each new password, to tell the passwords of one machine apart.
  password_number integer not null default 1 check (password_number > 0),
  -- Time at which the current learner got the machine; null: the machine was ordered for the learner.
  handed_over_at timestamptz,
  reset_count integer not null default 0 check (reset_count >= 0),
  -- The learner for whom the machine was ordered.
  ordered_for text not null,
  -- DER-encoded certificate of the desktop when it was first opened.
  desktop_certificate bytea,
  -- True: the machine is not created before its desired state becomes running.
  create_later boolean not null default false,
  address_kind text not null default 'public address' check (address_kind in ('public address', 'private address')),
  -- Tags of the template. The organisation's tags are added when a resource is created.
  azure_tags jsonb not null default '{}'::jsonb check (jsonb_typeof(azure_tags) = 'object'),
  -- No learner may use the machine: its learner left the roster, or the machine is a spare.
  withheld_at timestamptz,
  -- Kept ready for a later order. A spare has no learner, and an order of its own. Lists of machines leave it out.
  spare boolean not null default false,
  -- Price of the template when the machine was ordered, with the surcharge. Null: `paise_per_hour` is this price,
  -- because no customer price has applied.
  order_paise_per_hour bigint,
  constraint machine_check check (terminated_at is not null or admin_password is not null),
  constraint machine_check1 check (
      terminated_at is null
      or desired = 'gone'
        and observed = 'absent'
        and admin_password is null
        and reconcile_at is null
        and leased_until is null
        and restart_asked_at is null
    ),
  constraint machine_check2 check ((command is null) = (command_at is null)),
  constraint machine_check3 check (terminated_at is null or command is null),
  constraint machine_check4 check (used_up_at is null or quota_ends_at is null),
  constraint machine_check5 check (stop_reason is null or desired <> 'running'),
  constraint machine_check6 check (not_before is null or desired <> 'gone'),
  constraint machine_check7 check (terminated_at is null or reset_asked_at is null),
  constraint machine_check8 check (desired <> 'gone' or reset_asked_at is null),
  constraint machine_check9 check (not create_later or desired <> 'running'),
  constraint machine_check10 check (not spare or withheld_at is not null),
  constraint machine_id_organisation_id_key unique (id, organisation_id),
  constraint machine_order_learner unique (order_id, ordered_for),
  constraint machine_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id),
  constraint machine_order_id_training_id_organisation_id_fkey foreign key (order_id, training_id, organisation_id)
    references machine_order (id, training_id, organisation_id)
);
create index machine_changing on machine (id) where observed = 'changing';
create index machine_due on machine (reconcile_at) where reconcile_at is not null;
create index machine_due_of_organisation on machine (organisation_id, reconcile_at) where reconcile_at is not null;
create index machine_email_begins on machine (email text_pattern_ops) where terminated_at is null;
create index machine_failing on machine (attempts desc, number) where terminated_at is null and last_error is
  not null and desired <> 'gone';
create index machine_live on machine (organisation_id) where terminated_at is null;
create index machine_live_training on machine (training_id) where terminated_at is null;
create index machine_name_begins on machine (lower(name) text_pattern_ops) where terminated_at is null;
create index machine_quota on machine (quota_ends_at) where quota_ends_at is not null;
create index machine_standing on machine (id) where terminated_at is null;
create index machine_training on machine (training_id, number);
create index machine_training_email on machine (training_id, email);
create index machine_used_up on machine (used_up_at, number) where used_up_at is not null and terminated_at is null;
create index machine_without_key on machine (first_seen_at) where host_key is null and guacamole and os = 'Linux'
  and terminated_at is null;

-- Images captured from machines.
create table image (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null,
  machine_id uuid not null,
  -- E-mail address of the user who captured the image.
  asked_by text not null,
  created_at timestamptz not null default portal_now(),
  -- The provider's ID of the image, known after the first step.
  image_id text unique,
  ready_at timestamptz,
  failed text,
  progress integer not null default 0 check (progress >= 0 and progress <= 100),
  -- The last failure. The portal retries after it.
  last_error text,
  constraint image_check check (ready_at is null or image_id is not null and failed is null),
  constraint image_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id)
);
create unique index image_at_work on image (machine_id) where ready_at is null and failed is null;
create index image_recent on image (created_at desc);

-- A machine at the provider that has the portal's tag but no row.
create table orphan (
  provider text not null,
  -- In small letters.
  place_group text not null,
  name text not null,
  tag text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  gone_at timestamptz,
  id uuid not null default gen_random_uuid() unique,
  -- E-mail address of the superadmin who requested the deletion.
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
  constraint orphan_check check ((deletion_asked_by is null) = (deletion_asked_at is null)),
  constraint orphan_check1 check (deleted_at is null or deletion_asked_at is not null),
  constraint orphan_check2 check (deletion_asked_at is null or tag is not null),
  constraint orphan_pkey primary key (provider, place_group, name)
);
create index orphan_due on orphan (reconcile_at) where reconcile_at is not null;

-- Operations on machines with the times of their steps. They show the progress of current operations, and forecast
-- the duration of later operations.
create table operation (
  id uuid default gen_random_uuid() primary key,
  machine_id uuid not null,
  organisation_id uuid not null,
  kind text not null check (kind in ('create', 'start', 'stop', 'restart', 'reset', 'delete', 'capture')),
  -- Copied from the machine, because durations are grouped by size and region.
  size_name text not null,
  location text not null,
  asked_at timestamptz not null default portal_now(),
  -- Time just before the first call of the attempt that the provider accepted.
  sent_at timestamptz,
  -- Both times are measured by the provider's clock if the provider reports a time.
  accepted_at timestamptz,
  ended_at timestamptz,
  -- Time at which the machine first accepted connections.
  ready_at timestamptz,
  -- Time at which the portal stopped tracking the operation.
  closed_at timestamptz,
  -- Reason why the operation failed, or why the machine does not accept connections.
  reason text,
  -- Time until which the operation could be cancelled. It is sent afterwards.
  held_until timestamptz,
  constraint operation_check check (ended_at >= asked_at),
  constraint operation_check1 check (ready_at >= ended_at),
  constraint operation_check2 check (closed_at is not null or ready_at is null and reason is null),
  constraint operation_check3 check (held_until >= asked_at),
  constraint operation_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id) on delete cascade
);
create unique index operation_capture on operation (machine_id) where closed_at is null and kind = 'capture';
create index operation_machine on operation (machine_id, asked_at desc);
create index operation_measured on operation (kind, size_name, location, ended_at desc) include (asked_at, ready_at,
  held_until) where ended_at is not null;
create unique index operation_open on operation (machine_id) where closed_at is null and kind <> 'capture';

-- When the next sweep over all resources is due. Table with one row.
create table whole_sweep (
  single boolean default true primary key check (single),
  due_at timestamptz not null default portal_now()
);

insert into whole_sweep default values;

-- Usage is of machines, which are created after its tables.
alter table run add constraint run_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
  references machine (id, organisation_id);
alter table run_total add constraint run_total_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
  references machine (id, organisation_id) on delete cascade;
