import { type Kysely, sql } from 'kysely'

const WANTED = ['machine', 'security_group', 'payment', 'azure_user', 'sandbox', 'aws_user']

/**
 * A row that workers keep true names the trace of the call that wanted it so: what is wanted is counted by
 * `generation`, and whoever wants something may say its trace for the transaction. Tasks are wanted by nobody.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table task add column trace text;
    create function keep_trace() returns trigger language plpgsql as $$
    begin
      new.trace := nullif(current_setting('trainyard.trace', true), '');
      return new;
    end $$;
  `.execute(db)
  for (const name of WANTED) {
    await sql`
      alter table ${sql.table(name)} add column trace text;
      create trigger trace_of_new before insert on ${sql.table(name)} for each row execute function keep_trace();
      create trigger trace_of_wanted before update on ${sql.table(name)} for each row
        when (new.generation is distinct from old.generation) execute function keep_trace();
    `.execute(db)
  }
}
