import { type Kysely, sql } from 'kysely'

/** An orphan had the column since 114, and nothing that writes it: its deletion belonged to no trace. See 097. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger trace_of_new before insert on orphan for each row execute function keep_trace();
    create trigger trace_of_wanted before update on orphan for each row
      when (new.generation is distinct from old.generation) execute function keep_trace();
  `.execute(db)
}
