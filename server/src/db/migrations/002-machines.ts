import { type Kysely, sql } from 'kysely'

/** Trainings, orders, machines and their runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create extension if not exists btree_gist;

    create table training (
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisation (id),
      name text not null check (name = btrim(name) and name <> ''),
      created_at timestamptz not null default portal_now(),
      unique (organisation_id, name),
      unique (id, organisation_id)
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
      unique (id, training_id, organisation_id)
    );
    create index machine_order_training on machine_order (training_id, created_at);

    create table machine (
      id uuid primary key default gen_random_uuid(),
      -- Machine names derive from it, so that a name is never used twice.
      number bigint generated always as identity unique,
      name text not null unique,
      organisation_id uuid not null,
      training_id uuid not null,
      order_id uuid not null,
      email text not null check (email = lower(email)),

      -- The order: copied from the template, so that a changed template changes nothing here.
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
      -- Sealed; gone once terminated.
      admin_password bytea,
      guacamole boolean not null,
      paise_per_hour bigint not null check (paise_per_hour >= 0),
      allotted_minutes integer check (allotted_minutes > 0),
      created_at timestamptz not null default portal_now(),

      -- The wanted state, and the one that was seen.
      desired text not null default 'running' check (desired in ('running', 'stopped', 'gone')),
      observed text not null default 'absent' check (observed in ('absent', 'stopped', 'running', 'changing')),
      observed_at timestamptz,
      first_seen_at timestamptz,
      public_ip text,
      restart_asked_at timestamptz,
      ended text,
      terminated_at timestamptz,

      -- The row is its own queue. reconcile_at null: settled, nothing to do.
      reconcile_at timestamptz default portal_now(),
      leased_until timestamptz,
      fence bigint not null default 0,
      generation bigint not null default 0,
      attempts integer not null default 0,
      trouble text,

      foreign key (training_id, organisation_id) references training (id, organisation_id),
      foreign key (order_id, training_id, organisation_id) references machine_order (id, training_id, organisation_id),
      unique (id, organisation_id),
      -- One machine an order and learner.
      unique (order_id, email),
      check (terminated_at is not null or admin_password is not null),
      check (terminated_at is null or (desired = 'gone' and observed = 'absent' and admin_password is null
        and reconcile_at is null and leased_until is null and restart_asked_at is null))
    );
    create index machine_training on machine (training_id, number);
    create index machine_organisation_email on machine (organisation_id, email);
    create index machine_due on machine (reconcile_at) where reconcile_at is not null;
    create index machine_live on machine (organisation_id) where terminated_at is null;

    -- A stretch of time in which the provider billed a machine, in whole seconds, at the price when ordered.
    create table run (
      id bigint generated always as identity primary key,
      machine_id uuid not null,
      organisation_id uuid not null,
      started_at timestamptz not null check (date_trunc('second', started_at) = started_at),
      stopped_at timestamptz check (date_trunc('second', stopped_at) = stopped_at and stopped_at >= started_at),
      paise_per_hour bigint not null,
      -- Cleared from the log screen; bills and quotas still count it.
      hidden_at timestamptz,
      foreign key (machine_id, organisation_id) references machine (id, organisation_id),
      exclude using gist (machine_id with =, tstzrange(started_at, stopped_at) with &&)
    );
    create unique index run_open on run (machine_id) where stopped_at is null;
    create index run_machine on run (machine_id, started_at) include (stopped_at, paise_per_hour);

    -- Screens that watch a training hear of each machine that changed in a way that shows.
    create function tell_machine_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('machine_changed', new.training_id || ' ' || new.id);
      return null;
    end $$;
    create trigger machine_inserted after insert on machine
      for each row execute function tell_machine_changed();
    create trigger machine_changed after update on machine for each row
      when ((old.desired, old.observed, old.public_ip, old.restart_asked_at, old.trouble, old.ended, old.allotted_minutes)
        is distinct from (new.desired, new.observed, new.public_ip, new.restart_asked_at, new.trouble, new.ended, new.allotted_minutes))
      execute function tell_machine_changed();
  `.execute(db)
}
