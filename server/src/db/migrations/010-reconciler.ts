import { type Kysely, sql } from 'kysely'

/** The reconciler remembers this beside a machine's state: the command at work, the quota's end, the sweep, orphans. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table machine
      -- The last command sent to the provider whose goal has not been seen. Written before it is sent, so that a
      -- lost reply or a killed worker leaves a trace of it.
      add column command text check (command in ('create', 'start', 'stop', 'restart', 'delete')),
      -- When: by our clock as long as the reply is outstanding, by the provider's once it was accepted.
      add column command_at timestamptz,
      add column command_accepted boolean not null default false,
      -- The instant at which the open run will have used the allotted minutes up; null: no open run, or no limit.
      add column quota_ends_at timestamptz,
      add check ((command is null) = (command_at is null)),
      add check (terminated_at is null or command is null);
    create index machine_changing on machine (id) where observed = 'changing';
    create index machine_quota on machine (quota_ends_at) where quota_ends_at is not null;
    create index machine_order_recent on machine_order (created_at);
    create index machine_standing on machine (id) where terminated_at is null;

    -- The sweep over all that the provider has: one worker at a time.
    create table sweep (
      name text primary key,
      leased_until timestamptz,
      fence bigint not null default 0,
      begun_at timestamptz not null default portal_now(),
      due_at timestamptz not null default portal_now(),
      -- The provider could not be asked: then it is asked when due, and not sooner.
      failing boolean not null default false
    );
    insert into sweep (name) values ('machines');

    -- Things at the provider that carry our tag and have no row: shown, never deleted by guess.
    create table orphan (
      resource_group text not null,
      name text not null,
      tag text,
      first_seen_at timestamptz not null,
      last_seen_at timestamptz not null,
      gone_at timestamptz,
      primary key (resource_group, name)
    );
  `.execute(db)
}
