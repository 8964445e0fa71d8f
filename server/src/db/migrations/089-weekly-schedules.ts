import { type Kysely, sql } from 'kysely'

/** Schedules that repeat by weekday, access windows of some weekdays, and the last day of a training. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recurrence (
      id uuid primary key default gen_random_uuid(),
      training_id uuid not null,
      organisation_id uuid not null,
      action text not null check (action in ('Start', 'Stop')),
      -- Of ISO 8601: Monday is 1.
      weekdays smallint[] not null
        check (cardinality(weekdays) between 1 and 7 and weekdays <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[]),
      time time not null,
      from_date date not null,
      until_date date not null,
      time_zone text not null,
      created_by text not null,
      created_at timestamptz not null default portal_now(),
      removed_at timestamptz,
      check (until_date between from_date and from_date + 366),
      foreign key (training_id, organisation_id) references training (id, organisation_id),
      unique (id, training_id, organisation_id)
    );
    create index recurrence_training on recurrence (training_id) where removed_at is null;

    alter table schedule
      -- The weekly schedule that it is a run of; null: it was planned by itself.
      add column recurrence_id uuid,
      add foreign key (recurrence_id, training_id, organisation_id)
        references recurrence (id, training_id, organisation_id);
    create index schedule_recurrence on schedule (recurrence_id, fires_at) where recurrence_id is not null;

    alter table training
      -- The days on which the access window opens; null: every day.
      add column access_days smallint[]
        check (cardinality(access_days) between 1 and 7 and access_days <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[]),
      add check (access_days is null or access_start is not null),
      add column ends_on date;
  `.execute(db)
}
