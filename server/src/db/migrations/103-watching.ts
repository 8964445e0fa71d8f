import { type Kysely, sql } from 'kysely'

/** Beside the learner: an instructor watches a learner's terminal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Learners are told so when they connect, and are asked otherwise.
    alter table training add column watched_without_asking boolean not null default false;
    create trigger class_training_watching after update on training for each row
      when (old.watched_without_asking is distinct from new.watched_without_asking)
      execute function tell_class_of_training();

    -- Good for watching the machine's learner, and for nothing else.
    alter table remote_ticket add column to_watch boolean not null default false;

    alter table remote_session
      -- Its learner was told, when they connected, that they may be watched without being asked.
      add column told_watched boolean not null default false,
      -- The address at which the other API processes reach the one that holds it; null: they can't.
      add column held_at text,
      add unique (id, organisation_id);

    -- One who watches a terminal, or asked to. Nothing of what was seen or typed is kept.
    create table remote_watch (
      id uuid primary key default gen_random_uuid(),
      terminal_id uuid not null,
      organisation_id uuid not null,
      session_hash bytea not null,
      user_id uuid references portal_user (id) on delete set null,
      email text not null,
      asked_at timestamptz not null default portal_now(),
      -- Since when they see the screen; null: the learner was asked, and has not allowed it.
      began_at timestamptz,
      closed_at timestamptz,
      -- Why, in the words that were shown.
      ended text,
      foreign key (terminal_id, organisation_id) references remote_session (id, organisation_id) on delete cascade,
      check ((closed_at is null) = (ended is null))
    );
    create index remote_watch_terminal on remote_watch (terminal_id, organisation_id);
    create index remote_watch_open on remote_watch (asked_at) where closed_at is null;
    create index remote_watch_user on remote_watch (user_id);
  `.execute(db)
}
