import { type Kysely, sql } from 'kysely'

/** All that was asked of machines, with the instants of its steps: shown while it is under way, and measured when it is done. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operation (
      id uuid primary key default gen_random_uuid(),
      machine_id uuid not null,
      organisation_id uuid not null,
      kind text not null check (kind in ('create', 'start', 'stop', 'restart', 'reset', 'delete', 'capture')),
      -- Of the machine at that time: what operations are measured by.
      vm_size text not null,
      location text not null,
      asked_at timestamptz not null default portal_now(),
      -- Before the first call of the try that was taken.
      sent_at timestamptz,
      -- Both by the provider's own clock, where it says.
      accepted_at timestamptz,
      ended_at timestamptz check (ended_at >= asked_at),
      -- Somebody can come in: the machine answered.
      ready_at timestamptz check (ready_at >= ended_at),
      -- From then on nothing of it is waited for.
      closed_at timestamptz,
      -- Why it came to nothing, or why nobody can come in.
      reason text,
      foreign key (machine_id, organisation_id) references machine (id, organisation_id) on delete cascade,
      check (closed_at is not null or (ready_at is null and reason is null))
    );
    create unique index operation_open on operation (machine_id) where closed_at is null and kind <> 'capture';
    create unique index operation_capture on operation (machine_id) where closed_at is null and kind = 'capture';
    create index operation_machine on operation (machine_id, asked_at desc);
    create index operation_measured on operation (kind, vm_size, location, ended_at desc)
      include (asked_at, ready_at) where ended_at is not null;

    -- The wish is counted by the generation of the machine's row: whoever wishes opens the operation, or goes on with
    -- the one that is under way already.
    create function open_operation() returns trigger language plpgsql set search_path = public, pg_temp as $$
    declare
      going operation;
      wanted text := case
        when new.terminated_at is not null then null
        when new.desired = 'gone' then 'delete'
        -- Of 088-reset-and-hand-over.ts.
        when to_jsonb(new) ->> 'reset_asked_at' is not null then 'reset'
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
    create trigger machine_ordered_operation after insert on machine for each row execute function open_operation();
    create trigger machine_wanted_operation after update of generation on machine for each row
      when (old.generation is distinct from new.generation) execute function open_operation();

    create function note_capture() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'INSERT' then
        insert into operation (machine_id, organisation_id, kind, vm_size, location)
          select id, organisation_id, 'capture', vm_size, location from machine
          where id = new.machine_id and new.ready_at is null and new.failed is null;
      else
        update operation set closed_at = portal_now(), reason = new.failed,
          ended_at = case when new.ready_at is not null then greatest(new.ready_at, asked_at) end
        where machine_id = new.machine_id and closed_at is null and kind = 'capture';
      end if;
      return null;
    end $$;
    create trigger image_asked_operation after insert on image for each row execute function note_capture();
    create trigger image_ended_operation after update on image for each row
      when (old.ready_at is null and old.failed is null and (new.ready_at is not null or new.failed is not null))
      execute function note_capture();

    create function tell_operation_changed() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      perform pg_notify('machine_changed', training_id || ' ' || id) from machine where id = new.machine_id;
      return null;
    end $$;
    create trigger operation_changed after update on operation for each row execute function tell_operation_changed();
  `.execute(db)
}
