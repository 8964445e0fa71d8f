import { type Kysely, sql } from 'kysely'

/** Screens that watch a training hear that a budget's leash was drawn or let go: of no machine's row is it a change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_leash() returns trigger language plpgsql as $$
    declare budget budget := coalesce(new, old);
    begin
      perform pg_notify('machine_changed', id::text) from training
        where organisation_id = budget.organisation_id and (budget.training_id is null or id = budget.training_id);
      return null;
    end $$;
    create trigger leash_drawn after insert on budget for each row
      when (new.leashed_at is not null) execute function tell_leash();
    create trigger leash_changed after update on budget for each row
      when ((old.leashed_at is null) <> (new.leashed_at is null)) execute function tell_leash();
    create trigger leash_removed after delete on budget for each row
      when (old.leashed_at is not null) execute function tell_leash();
  `.execute(db)
}
