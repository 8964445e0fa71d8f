import { type Kysely, sql } from 'kysely'

/** Removes the traces of calls, the watch of the clock, and the archive of runs, whose rows move back to `run`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(REMOVE).execute(db)
}

const COLUMNS =
  'id, machine_id, organisation_id, started_at, stopped_at, paise_per_hour, hidden_at, opened_by, opened_told_at, closed_by, closed_told_at'

const REMOVE = `
do $$ declare traced text; begin
  for traced in select table_name from information_schema.columns where table_schema = 'public' and column_name = 'trace'
  loop
    execute format('drop trigger if exists trace_of_new on %I', traced);
    execute format('drop trigger if exists trace_of_wanted on %I', traced);
    execute format('alter table %I drop column trace', traced);
  end loop;
end $$;
drop function record_trace();
drop table portal_clock;
do $$ declare definition text; begin
  for definition in select pg_get_functiondef(oid) from pg_proc
    where pronamespace = 'public'::regnamespace and prokind = 'f' and prosrc like '%all_run%'
  loop execute replace(definition, 'all_run', 'run'); end loop;
end $$;
drop view all_run;
with archived as (delete from run_archive returning *)
insert into run (${COLUMNS}) overriding system value select ${COLUMNS} from archived;
drop table run_archive;
drop function make_run_archive(date);
delete from task where name in ('check the clock', 'archive usage records');
`
