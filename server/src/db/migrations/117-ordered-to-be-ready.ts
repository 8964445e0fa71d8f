import { type Kysely, sql } from 'kysely'

/** Machines that are ordered to be ready by a time: nothing is made of them before somebody wants them running. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table machine add column create_later boolean not null default false
      check (not create_later or desired <> 'running');
    create function forget_create_later() returns trigger language plpgsql as $$
    begin
      new.create_later := false;
      return new;
    end $$;
    create trigger machine_create_later before update on machine for each row
      when (new.create_later and new.desired <> 'stopped') execute function forget_create_later();

    -- null: of all the training's machines; else of those of one order.
    alter table machine_order add unique (id, organisation_id);
    alter table ready_by add column order_id uuid,
      add foreign key (order_id, organisation_id) references machine_order (id, organisation_id);
    drop index ready_by_once;
    create unique index ready_by_once on ready_by (training_id, ready_at, order_id) nulls not distinct
      where removed_at is null;

    create or replace function open_operation() returns trigger language plpgsql set search_path = public, pg_temp as $$
    declare
      going operation;
      wanted text := case
        when new.terminated_at is not null then null
        when new.desired = 'gone' then 'delete'
        when new.reset_asked_at is not null then 'reset'
        -- Nothing is asked of it yet.
        when new.create_later then null
        when new.desired = 'stopped' then case when new.observed <> 'stopped' then 'stop' end
        when new.first_seen_at is null then 'create'
        when new.restart_asked_at is not null then 'restart'
        when new.observed <> 'running' then 'start' end;
    begin
      if tg_op = 'UPDATE' then
        select * into going from operation
          where machine_id = new.id and closed_at is null and kind <> 'capture';
        if going.id is not null then
          if going.ended_at is null and going.kind = wanted and old.last_error is null then return null; end if;
          if going.ended_at is not null and wanted is null and new.desired = 'running' then return null; end if;
          update operation set closed_at = portal_now(), reason = case when ended_at is null then old.last_error end
            where id = going.id;
        end if;
      end if;
      if wanted is not null then
        insert into operation (machine_id, organisation_id, kind, vm_size, location)
          values (new.id, new.organisation_id, wanted, new.vm_size, new.location);
      end if;
      return null;
    end $$;
  `.execute(db)
}
