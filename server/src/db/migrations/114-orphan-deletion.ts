import { type Kysely, sql } from 'kysely'

/** An orphan can be deleted at the provider: asked for by a person, and done by a worker under a claim. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table orphan
      add column id uuid not null default gen_random_uuid() unique,
      -- Who wants it gone; null: nobody does.
      add column deletion_asked_by text,
      add column deletion_asked_at timestamptz,
      -- Nothing that it brought stands any more.
      add column deleted_at timestamptz,
      add column reconcile_at timestamptz,
      add column leased_until timestamptz,
      add column fence bigint not null default 0,
      add column generation bigint not null default 0,
      add column attempts integer not null default 0,
      add column last_error text,
      add column trace text,
      add check ((deletion_asked_by is null) = (deletion_asked_at is null)),
      add check (deleted_at is null or deletion_asked_at is not null),
      -- What carries no tag of ours is never deleted.
      add check (deletion_asked_at is null or tag is not null);
    create index orphan_due on orphan (reconcile_at) where reconcile_at is not null;`.execute(db)
}
