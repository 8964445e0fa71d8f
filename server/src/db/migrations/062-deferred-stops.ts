import { type Kysely, sql } from 'kysely'

/** Adds the deferral of stops. Extending a class defers the stops that would end the class early. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(COLUMN).execute(db)
}

const COLUMN = `
-- End of the extension that defers a stop; null: the schedule is due at fires_at. fires_at remains the planned time.
alter table schedule add column deferred_until timestamptz,
  add constraint schedule_deferred check (deferred_until is null or (action = 'Stop' and deferred_until > fires_at));
drop index schedule_due;
create index schedule_due on schedule ((coalesce(deferred_until, fires_at)))
  where completed_at is null and removed_at is null;
`
