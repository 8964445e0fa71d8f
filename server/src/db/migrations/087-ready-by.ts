import { type Kysely, sql } from 'kysely'

/** Instants at which a training's machines are to let people in: they are started as much earlier as they usually take. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ready_by (
      id uuid primary key default gen_random_uuid(),
      training_id uuid not null,
      organisation_id uuid not null,
      -- As it was asked for, in the organisation's zone at that time; schedules keep theirs in the same way.
      date text not null,
      time text not null,
      time_zone text not null,
      ready_at timestamptz not null,
      asked_by text not null,
      created_at timestamptz not null default portal_now(),
      started_at timestamptz,
      missed boolean not null default false,
      removed_at timestamptz,
      foreign key (training_id, organisation_id) references training (id, organisation_id),
      unique (id, organisation_id),
      check (not missed or started_at is null)
    );
    create unique index ready_by_once on ready_by (training_id, ready_at) where removed_at is null;
    create index ready_by_waiting on ready_by (ready_at)
      where started_at is null and not missed and removed_at is null;

    -- The machines that it is about, once it has started them; with why one could not be started.
    create table ready_machine (
      ready_by_id uuid not null,
      organisation_id uuid not null,
      machine_id uuid not null,
      refused text,
      primary key (ready_by_id, machine_id),
      foreign key (ready_by_id, organisation_id) references ready_by (id, organisation_id),
      foreign key (machine_id, organisation_id) references machine (id, organisation_id) on delete cascade
    );
  `.execute(db)
}
