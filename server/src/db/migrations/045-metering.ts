import { type Kysely, sql } from 'kysely'

/** Each run says what opened and closed it, and what comparing it with the provider's own record found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create domain run_cause as text check (value in (
      'create accepted', 'start accepted', 'restart accepted', 'stop accepted', 'delete accepted', 'deleted',
      'seen running', 'seen halted', 'seen stopped', 'seen changing', 'seen failed', 'seen absent', 'imported'));
    alter table run
      add column opened_by run_cause not null default 'imported',
      -- The provider's own instant, before it was fitted between the machine's last run and now.
      add column opened_told_at timestamptz,
      add column closed_by run_cause,
      add column closed_told_at timestamptz,
      add check (stopped_at is not null or closed_by is null);

    create table reconciliation (
      -- A day of UTC.
      day date primary key,
      compared_at timestamptz not null,
      machines integer not null check (machines >= 0),
      seconds_here bigint not null check (seconds_here >= 0),
      seconds_there bigint not null check (seconds_there >= 0)
    );
    create table reconciliation_difference (
      day date not null references reconciliation (day),
      machine_name text not null,
      -- null: no machine of ours.
      machine_id uuid references machine (id),
      seconds_here bigint not null check (seconds_here >= 0),
      seconds_there bigint not null check (seconds_there >= 0),
      primary key (day, machine_name),
      check (seconds_here <> seconds_there)
    );
    insert into sweep (name) values ('reconciliation');
  `.execute(db)
}
