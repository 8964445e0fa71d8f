import { type Kysely, sql } from 'kysely'

/** Machines that are made anew under their row, and machines that come to another learner than they were ordered for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table machine
      -- It is deleted at the provider and then made anew: row, learner and runs stay.
      add column reset_asked_at timestamptz,
      -- Tells one password from the one before: what was set of an earlier one is not this one.
      add column password_number integer not null default 1 check (password_number > 0),
      -- Since when its present learner has it; null: since it was made.
      add column handed_over_at timestamptz,
      add column reset_count integer not null default 0 check (reset_count >= 0),
      -- The learner that it was ordered for, whoever has it now.
      add column ordered_for text,
      add check (terminated_at is null or reset_asked_at is null),
      add check (desired <> 'gone' or reset_asked_at is null);
    update machine set ordered_for = email;
    alter table machine
      alter column ordered_for set not null,
      drop constraint machine_order_id_email_key,
      add constraint machine_order_learner unique (order_id, ordered_for);

    create function note_first_learner() returns trigger language plpgsql as $$
    begin
      new.ordered_for := new.email;
      return new;
    end $$;
    create trigger machine_ordered_for before insert on machine
      for each row execute function note_first_learner();

    drop trigger machine_changed on machine;
    create trigger machine_changed after update on machine for each row
      when ((old.desired, old.observed, old.public_ip, old.restart_asked_at, old.last_error, old.ended,
          old.allotted_minutes, old.capturing, old.password_due, old.reset_asked_at, old.password_number, old.email,
          old.first_seen_at)
        is distinct from (new.desired, new.observed, new.public_ip, new.restart_asked_at, new.last_error, new.ended,
          new.allotted_minutes, new.capturing, new.password_due, new.reset_asked_at, new.password_number, new.email,
          new.first_seen_at))
      execute function tell_machine_changed();
  `.execute(db)
}
