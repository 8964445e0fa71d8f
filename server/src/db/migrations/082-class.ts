import { type Kysely, sql } from 'kysely'

/** The class: how active each machine is, raised hands, announcements, and windows that were extended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table training
      -- Open to learners until then, whatever the window says.
      add column access_extended_until timestamptz,
      -- null: nothing is stopped for being idle.
      add column idle_stop_minutes integer check (idle_stop_minutes between 20 and 480),
      add check (access_extended_until is null or access_start is not null);

    -- Why a stopped machine was stopped, where no person asked for it.
    alter table machine add column stop_reason text check (stop_reason is null or desired <> 'running');
    -- It belongs to what is wanted: whoever wants something else, wants it for another reason.
    create function forget_stop_reason() returns trigger language plpgsql as $$
    begin
      new.stop_reason := null;
      return new;
    end $$;
    create trigger machine_stop_reason before update on machine for each row
      when (old.desired is distinct from new.desired and old.stop_reason is not distinct from new.stop_reason)
      execute function forget_stop_reason();

    -- Beside the machine's row, which its reconciler holds: this changes every minute.
    create table machine_activity (
      machine_id uuid primary key,
      organisation_id uuid not null,
      -- The last time that somebody typed in a terminal of it.
      input_at timestamptz,
      -- Percentage CPU of the last minute that was measured, which ended then.
      cpu_percent double precision check (cpu_percent between 0 and 100),
      cpu_at timestamptz,
      -- The end of the last minute in which its processor was in use.
      busy_at timestamptz,
      -- The last time that its learner said to be there.
      here_at timestamptz,
      -- Its learner was warned, and when it is to be stopped.
      warned_at timestamptz,
      stops_at timestamptz,
      foreign key (machine_id, organisation_id) references machine (id, organisation_id) on delete cascade,
      check ((cpu_percent is null) = (cpu_at is null)),
      check ((warned_at is null) = (stops_at is null)),
      check (stops_at >= warned_at + interval '10 minutes')
    );
    create index machine_activity_warned on machine_activity (stops_at) where stops_at is not null;

    create table raised_hand (
      training_id uuid not null,
      organisation_id uuid not null,
      email text not null check (email = lower(email)),
      raised_at timestamptz not null default portal_now(),
      primary key (training_id, email),
      foreign key (training_id, organisation_id) references training (id, organisation_id) on delete cascade
    );

    -- One at a time: the next takes its place.
    create table announcement (
      training_id uuid primary key,
      organisation_id uuid not null,
      text text not null check (text = btrim(text) and char_length(text) between 1 and 500),
      made_by text not null,
      made_at timestamptz not null default portal_now(),
      ends_at timestamptz not null check (ends_at > made_at),
      foreign key (training_id, organisation_id) references training (id, organisation_id) on delete cascade
    );

    -- When somebody was connected last.
    create index remote_session_closed on remote_session (machine_id, closed_at) where closed_at is not null;

    -- Screens that watch a class hear of what changed in it: a training, and the machine where it is about one.
    create function tell_class_of_machine() returns trigger language plpgsql as $$
    begin
      perform pg_notify('class_changed', training_id || ' ' || id) from machine where id = new.machine_id;
      return null;
    end $$;
    create trigger class_activity_made after insert on machine_activity for each row execute function tell_class_of_machine();
    create trigger class_activity_changed after update on machine_activity for each row
      when (old is distinct from new) execute function tell_class_of_machine();
    create trigger class_terminal_opened after insert on remote_session for each row execute function tell_class_of_machine();
    create trigger class_terminal_closed after update of closed_at on remote_session for each row
      when (old.closed_at is distinct from new.closed_at) execute function tell_class_of_machine();

    create function tell_class_of_hand() returns trigger language plpgsql as $$
    declare hand raised_hand := coalesce(new, old);
    begin
      perform pg_notify('class_changed', training_id || ' ' || id) from machine
        where training_id = hand.training_id and email = hand.email and terminated_at is null;
      return null;
    end $$;
    create trigger class_hand after insert or delete on raised_hand for each row execute function tell_class_of_hand();

    -- About the whole training: no machine is named.
    create function tell_class_of_announcement() returns trigger language plpgsql as $$
    begin
      perform pg_notify('class_changed', (coalesce(new, old)).training_id::text);
      return null;
    end $$;
    create trigger class_announcement after insert or update or delete on announcement
      for each row execute function tell_class_of_announcement();

    create function tell_class_of_training() returns trigger language plpgsql as $$
    begin
      perform pg_notify('class_changed', new.id::text);
      return null;
    end $$;
    create trigger class_training after update on training for each row
      when ((old.access_extended_until, old.idle_stop_minutes, old.access_start, old.access_stop)
        is distinct from (new.access_extended_until, new.idle_stop_minutes, new.access_start, new.access_stop))
      execute function tell_class_of_training();
  `.execute(db)
}
