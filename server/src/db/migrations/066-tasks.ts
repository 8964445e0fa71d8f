import { type Kysely, sql } from 'kysely'

/**
 * The tasks that run by themselves: a row for each that one worker runs at a time, which is claimed like the rows of
 * machines, and one for each worker of those that every worker runs. They take the place of the table sweep.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table task (
      id uuid primary key default gen_random_uuid(),
      name text not null unique,
      -- Seconds between its runs.
      every double precision not null,
      reconcile_at timestamptz default portal_now(),
      leased_until timestamptz,
      fence bigint not null default 0,
      generation bigint not null default 0,
      attempts integer not null default 0,
      last_error text,
      -- Of its last run; while it runs, ended_at is of the one before.
      started_at timestamptz,
      ended_at timestamptz,
      -- Seconds by which that began later than it was due.
      lag_seconds double precision
    );

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

    -- The look at all machines goes through more of the provider's lists every now and then.
    create table whole_sweep (
      single boolean primary key default true check (single),
      due_at timestamptz not null default portal_now()
    );
    insert into whole_sweep default values;
    drop table sweep;
  `.execute(db)
}
