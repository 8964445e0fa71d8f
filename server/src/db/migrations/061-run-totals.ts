import { type Kysely, sql } from 'kysely'

/**
 * Stores the sums of the ended runs of each machine, so that lists and bills do not read all runs. Also clears cached
 * sessions when a user's name changes, because cached sessions contain the name.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [TABLE, TRIGGERS, PRESENT_RUNS, KEY, NAMES]) await sql.raw(statements).execute(db)
}

const TABLE = `
-- Sums of all ended runs of a machine, including archived runs. Triggers maintain the sums.
create table run_total (
  machine_id uuid primary key,
  organisation_id uuid not null,
  runs integer not null,
  seconds bigint not null,
  -- Sum of the seconds of each run times its price per hour.
  paise_seconds numeric not null
);
`

const addTo = (runs: string): string => `
    insert into run_total as total (machine_id, organisation_id, runs, seconds, paise_seconds)
      select machine_id, organisation_id, sum(sign), sum(sign * seconds), sum(sign * seconds * paise_per_hour)
      from (select sign, machine_id, organisation_id, paise_per_hour,
          date_part('epoch', stopped_at - started_at)::bigint as seconds
        from (${runs}) as changed where stopped_at is not null) as ended
      group by machine_id, organisation_id
      having sum(sign) <> 0 or sum(sign * seconds) <> 0 or sum(sign * seconds * paise_per_hour) <> 0
      order by machine_id
    on conflict (machine_id) do update set runs = total.runs + excluded.runs,
      seconds = total.seconds + excluded.seconds, paise_seconds = total.paise_seconds + excluded.paise_seconds;`

const runsOf = (sign: 1 | -1, rows: string): string =>
  `select ${sign} as sign, machine_id, organisation_id, started_at, stopped_at, paise_per_hour from ${rows}`

const trigger = (table: string, event: string, rows: string): string => `
create trigger ${table}_totals_${event} after ${event} on ${table} referencing ${rows}
  for each statement execute function update_run_total();`

const TRIGGERS = `
-- Rows are sorted by machine, so that two statements cannot deadlock.
create function update_run_total() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then ${addTo(runsOf(1, 'added'))}
  elsif tg_op = 'DELETE' then ${addTo(runsOf(-1, 'removed'))}
  else ${addTo(`${runsOf(-1, 'removed')} union all ${runsOf(1, 'added')}`)}
  end if;
  return null;
end $$;
${['run', 'run_archive']
  .flatMap((table) => [
    trigger(table, 'insert', 'new table as added'),
    trigger(table, 'update', 'old table as removed new table as added'),
    trigger(table, 'delete', 'old table as removed'),
  ])
  .join('')}
`

/** The triggers lock `run` against changes until the end of the migration. */
const PRESENT_RUNS = addTo(runsOf(1, 'all_run'))

/** Runs last, because it locks `machine` against changes. */
const KEY = `
alter table run_total
  add foreign key (machine_id, organisation_id) references machine (id, organisation_id) on delete cascade;
`

const NAMES = `
create or replace trigger portal_user_sessions after delete or update of email, name, role, role_since, organisation_id,
  password_hash, password_given, deactivated_at on portal_user execute function notify_session_changed();
`
