import { type Kysely, sql } from 'kysely'

/** Images of machines: how far one is, and what it means for its machine and for those made of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table machine
      -- Its disk is being copied: it is neither started nor deleted under the copy.
      add column capturing boolean not null default false,
      -- Its image brought somebody else's password: it is nobody's to use until it has its own.
      add column password_due boolean not null default false;

    alter table image
      -- The provider's id is known once the first step was taken.
      alter column image_id drop not null,
      add column progress integer not null default 0 check (progress between 0 and 100),
      -- Why it takes longer: what went wrong the last time and is tried again.
      add column trouble text,
      add check (ready_at is null or (image_id is not null and failed is null));
    create unique index image_at_work on image (machine_id) where ready_at is null and failed is null;
    create index image_recent on image (created_at desc);

    drop trigger machine_changed on machine;
    create trigger machine_changed after update on machine for each row
      when ((old.desired, old.observed, old.public_ip, old.restart_asked_at, old.trouble, old.ended, old.allotted_minutes,
          old.capturing, old.password_due)
        is distinct from (new.desired, new.observed, new.public_ip, new.restart_asked_at, new.trouble, new.ended,
          new.allotted_minutes, new.capturing, new.password_due))
      execute function tell_machine_changed();
  `.execute(db)
}
