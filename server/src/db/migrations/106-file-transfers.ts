import { type Kysely, sql } from 'kysely'

/** Files that go to and from machines by the browser, whole or in the middle; and whether a training lets them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table training add column files_allowed boolean not null default true;

    create table file_transfer (
      id uuid primary key default gen_random_uuid(),
      user_id uuid references portal_user (id) on delete set null,
      email text not null,
      -- The session that moved it last: with its end this ends too, until another one of the same person goes on.
      session_hash bytea not null,
      machine_id uuid not null,
      organisation_id uuid not null,
      direction text not null check (direction in ('upload', 'download')),
      path text not null,
      -- A download's is known once it has begun.
      size integer check (size >= 0),
      done integer not null default 0 check (done >= 0 and done <= size),
      -- Of an upload: the hash of the hashes of its pieces so far.
      digest bytea,
      replaces boolean not null default false,
      asked_at timestamptz not null default portal_now(),
      moved_at timestamptz not null default portal_now(),
      ended_at timestamptz,
      -- How it ended, in the words that were shown.
      result text,
      foreign key (machine_id, organisation_id) references machine (id, organisation_id),
      check ((ended_at is null) = (result is null)),
      check (direction = 'download' or size is not null)
    );
    create index file_transfer_user on file_transfer (user_id, asked_at desc);
    create index file_transfer_machine on file_transfer (machine_id);
    create index file_transfer_open on file_transfer (moved_at) where ended_at is null;
  `.execute(db)
}
