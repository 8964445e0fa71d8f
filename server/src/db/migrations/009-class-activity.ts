import { type Kysely, sql } from 'kysely'

/** The minutes in which a learner was active, for the class, and the reason of a raised hand. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(ACTIVE_MINUTES).execute(db)
  await sql.raw(HAND_REASON).execute(db)
}

const ACTIVE_MINUTES = `
-- Bit n is set if the machine was used in the minute that began n minutes before active_at.
alter table machine_activity
  add column active_minutes integer not null default 0 check (active_minutes between 0 and 1023),
  add column active_at timestamptz;

create function record_active_minutes() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  used timestamptz;
  passed integer;
begin
  foreach used in array array[new.input_at, new.busy_at, new.here_at] loop
    continue when used is null or (tg_op = 'UPDATE' and used in (old.input_at, old.busy_at, old.here_at));
    used := date_trunc('minute', used);
    passed := case when new.active_at is null then 10 else floor(extract(epoch from used - new.active_at) / 60) end;
    if passed > 0 then
      new.active_minutes := case when passed > 9 then 1 else ((new.active_minutes << passed) | 1) & 1023 end;
      new.active_at := used;
    elsif passed > -10 then
      new.active_minutes := new.active_minutes | (1 << -passed);
    end if;
  end loop;
  return new;
end $$;
create trigger machine_activity_minutes before insert or update of input_at, busy_at, here_at on machine_activity
  for each row execute function record_active_minutes();
`

const HAND_REASON = `
alter table raised_hand add column reason text check (reason in ('stuck', 'question', 'slow'));

create trigger class_hand_reason after update of reason on raised_hand for each row
  when (old.reason is distinct from new.reason) execute function notify_class_of_raised_hand();
`
