import { type Kysely, sql } from 'kysely'

/** Running a training: ports, schedules, the access window, images. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table training
      add column access_start time,
      add column access_stop time,
      add check (num_nulls(access_start, access_stop) in (0, 2)),
      add check (access_start <> access_stop);

    create table port (
      training_id uuid not null,
      organisation_id uuid not null,
      port integer not null check (port between 1 and 65535),
      priority integer not null check (priority between 1001 and 4096),
      opened_at timestamptz not null default portal_now(),
      primary key (training_id, port),
      unique (training_id, priority),
      foreign key (training_id, organisation_id) references training (id, organisation_id)
    );

    -- A training's security group in one resource group: its rules are made to agree with the training's ports.
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
      trouble text,
      primary key (training_id, resource_group),
      foreign key (training_id, organisation_id) references training (id, organisation_id)
    );
    create index security_group_due on security_group (reconcile_at) where reconcile_at is not null;

    create table schedule (
      id uuid primary key default gen_random_uuid(),
      training_id uuid not null,
      organisation_id uuid not null,
      action text not null check (action in ('Start', 'Stop')),
      -- As asked, in the zone it was asked in; fires_at is the instant that follows from them.
      date date not null,
      time time not null,
      time_zone text not null,
      fires_at timestamptz not null,
      created_by text not null,
      created_at timestamptz not null default portal_now(),
      completed_at timestamptz,
      missed boolean not null default false,
      removed_at timestamptz,
      foreign key (training_id, organisation_id) references training (id, organisation_id),
      unique (id, organisation_id)
    );
    create unique index schedule_once on schedule (training_id, fires_at, action) where removed_at is null;
    create index schedule_due on schedule (fires_at) where completed_at is null and removed_at is null;
    create index schedule_training on schedule (training_id, fires_at) where removed_at is null;

    -- A schedule's outcome for each machine: at most once.
    create table schedule_outcome (
      schedule_id uuid not null,
      organisation_id uuid not null,
      machine_id uuid not null,
      outcome text not null check (outcome in ('acted', 'skipped', 'failed')),
      reason text,
      primary key (schedule_id, machine_id),
      foreign key (schedule_id, organisation_id) references schedule (id, organisation_id),
      foreign key (machine_id, organisation_id) references machine (id, organisation_id)
    );

    create table image (
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null,
      machine_id uuid not null,
      asked_by text not null,
      created_at timestamptz not null default portal_now(),
      -- The provider's id, known before the first call, so that a repeat finds itself.
      image_id text not null unique,
      ready_at timestamptz,
      failed text,
      foreign key (machine_id, organisation_id) references machine (id, organisation_id)
    );
  `.execute(db)
}
