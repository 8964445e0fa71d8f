import { type Kysely, sql } from 'kysely'

/**
 * The counts of first screens are kept as they change: nobody counts a hundred thousand rows to look at the Control Center.
 * Changes are rows that are only added, so that no two transactions wait for each other; a worker adds them up.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tally (
      -- 'users'; 'live' machines, by training; 'failing' and 'used up' machines.
      name text not null,
      training_id uuid,
      count bigint not null check (count > 0),
      unique nulls not distinct (name, training_id)
    );
    create table tally_change (
      id bigint generated always as identity primary key,
      name text not null,
      training_id uuid,
      change bigint not null
    );

    -- Adds the changes up; while another worker does, nothing.
    create function add_up_tallies() returns void language plpgsql security definer set search_path = public as $$
    begin
      if not pg_try_advisory_xact_lock(hashtext('trainyard tallies')) then return; end if;
      with added as (
        delete from tally_change returning name, training_id, change
      ), summed as (
        select name, training_id, sum(change) as change from added group by name, training_id having sum(change) <> 0
      )
      merge into tally t using summed s on t.name = s.name and t.training_id is not distinct from s.training_id
        when matched and t.count + s.change = 0 then delete
        when matched then update set count = t.count + s.change
        when not matched then insert (name, training_id, count) values (s.name, s.training_id, s.change);
    end $$;

    create function tally_users() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      insert into tally_change (name, change)
        select 'users', case tg_op when 'INSERT' then count(*) else -count(*) end from changed having count(*) > 0;
      return null;
    end $$;
    create trigger user_added after insert on portal_user referencing new table as changed
      for each statement execute function tally_users();
    create trigger user_removed after delete on portal_user referencing old table as changed
      for each statement execute function tally_users();

    alter table machine
      -- Since when all of its allotted minutes are used and no run is open. While one is open, quota_ends_at says when
      -- they will be, or were, used up: of the two at most one is set.
      add column used_up_at timestamptz,
      add check (used_up_at is null or quota_ends_at is null);

    create function tally_machines_added() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      insert into tally_change (name, training_id, change)
        select 'live', training_id, count(*) from added where terminated_at is null group by training_id
        union all select 'failing', null, count(*) from added
          where terminated_at is null and trouble is not null and desired <> 'gone' having count(*) > 0
        union all select 'used up', null, count(*) from added
          where terminated_at is null and used_up_at is not null having count(*) > 0;
      return null;
    end $$;
    create trigger machine_added after insert on machine referencing new table as added
      for each statement execute function tally_machines_added();

    create function tally_machine_changed() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      insert into tally_change (name, training_id, change)
        select name, training_id, now_so::int - was_so::int from (values
          ('live', new.training_id, new.terminated_at is null, old.terminated_at is null),
          ('failing', null, new.terminated_at is null and new.trouble is not null and new.desired <> 'gone',
            old.terminated_at is null and old.trouble is not null and old.desired <> 'gone'),
          ('used up', null, new.terminated_at is null and new.used_up_at is not null,
            old.terminated_at is null and old.used_up_at is not null)
        ) as said (name, training_id, now_so, was_so) where now_so <> was_so;
      return null;
    end $$;
    create trigger machine_tallied after update on machine for each row
      when ((old.terminated_at is null, old.trouble is null, old.desired = 'gone', old.used_up_at is null)
        is distinct from (new.terminated_at is null, new.trouble is null, new.desired = 'gone', new.used_up_at is null))
      execute function tally_machine_changed();

    -- When a machine's minutes are used up follows from its runs and from what it is allotted, whoever writes these.
    create function quota_of(machine_id uuid, allotted_minutes integer,
      out quota_ends_at timestamptz, out used_up_at timestamptz) language sql stable as $$
      select case when open_since is not null then open_since + make_interval(secs => left_over) end,
        case when open_since is null and left_over <= 0 then last_end end
      from (select max(started_at) filter (where stopped_at is null) as open_since, max(stopped_at) as last_end,
          allotted_minutes * 60 - coalesce(sum(date_part('epoch', stopped_at - started_at)), 0) as left_over
        from run r where r.machine_id = quota_of.machine_id) runs
    $$;
    create function keep_quota_of_run() returns trigger language plpgsql as $$
    declare
      allotted integer;
    begin
      select allotted_minutes into allotted from machine where id = new.machine_id;
      if allotted is null then return null; end if;
      update machine m set quota_ends_at = q.quota_ends_at, used_up_at = q.used_up_at
        from quota_of(new.machine_id, allotted) q
        where m.id = new.machine_id
          and (m.quota_ends_at, m.used_up_at) is distinct from (q.quota_ends_at, q.used_up_at);
      return null;
    end $$;
    create trigger run_added after insert on run for each row execute function keep_quota_of_run();
    create trigger run_changed after update of started_at, stopped_at on run for each row
      execute function keep_quota_of_run();
    create function keep_quota_of_machine() returns trigger language plpgsql as $$
    begin
      select q.quota_ends_at, q.used_up_at into new.quota_ends_at, new.used_up_at
        from quota_of(new.id, new.allotted_minutes) q;
      return new;
    end $$;
    create trigger machine_allotted before update on machine for each row
      when (old.allotted_minutes is distinct from new.allotted_minutes) execute function keep_quota_of_machine();

    update machine m set quota_ends_at = q.quota_ends_at, used_up_at = q.used_up_at
      from machine n, quota_of(n.id, n.allotted_minutes) q
      where n.id = m.id and n.allotted_minutes is not null and n.terminated_at is null;
    delete from tally_change;
    insert into tally (name, training_id, count)
      select 'live', training_id, count(*) from machine where terminated_at is null group by training_id
      union all select 'failing', null, count(*) from machine
        where terminated_at is null and trouble is not null and desired <> 'gone' having count(*) > 0
      union all select 'used up', null, count(*) from machine
        where terminated_at is null and used_up_at is not null having count(*) > 0
      union all select 'users', null, count(*) from portal_user having count(*) > 0;

    -- The first few of each, without looking at the others.
    create index machine_failing on machine (attempts desc, number)
      where terminated_at is null and trouble is not null and desired <> 'gone';
    create index machine_used_up on machine (used_up_at, number) where used_up_at is not null and terminated_at is null;
  `.execute(db)
}
