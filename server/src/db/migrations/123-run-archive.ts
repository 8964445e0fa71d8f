import { type Kysely, sql } from 'kysely'

/**
 * Runs that ended long ago stand in an archive by month of their end; all_run is where they are read together. A column
 * that is added to run is added to the archive and to the view too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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

    -- Workers move rows; only the owner makes tables. Attached and not created in place, so that no reader of bills waits.
    create function make_run_archive(month date) returns void language plpgsql security definer
      set search_path = public, pg_temp as $$
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

    create or replace function quota_of(machine_id uuid, allotted_minutes integer,
      out quota_ends_at timestamptz, out used_up_at timestamptz) language sql stable as $$
      select case when open_since is not null then open_since + make_interval(secs => left_over) end,
        case when open_since is null and left_over <= 0 then last_end end
      from (select max(started_at) filter (where stopped_at is null) as open_since, max(stopped_at) as last_end,
          allotted_minutes * 60 - coalesce(sum(date_part('epoch', stopped_at - started_at)), 0) as left_over
        from all_run r where r.machine_id = quota_of.machine_id) runs
    $$;
  `.execute(db)
}
