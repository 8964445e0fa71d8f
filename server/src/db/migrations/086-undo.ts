import { type Kysely, sql } from 'kysely'

/** A stop that can be undone: it is wanted, shown, and not sent to the cloud before an instant. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table machine
      add column not_before timestamptz,
      add check (not_before is null or desired = 'stopped');

    -- Whoever wants something else of it, or finds it gone, ends the wait.
    create function end_hold() returns trigger language plpgsql as $$
    begin
      new.not_before := null;
      return new;
    end $$;
    create trigger machine_hold_ended before update of desired on machine for each row
      when (new.not_before is not null and new.desired <> 'stopped') execute function end_hold();
  `.execute(db)
}
