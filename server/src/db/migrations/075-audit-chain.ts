import { type Kysely, sql } from 'kysely'

/** The audit as a chain: seals beside its rows, signed heads, archives; what a change was before, and how rows are found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table audit
      add column before jsonb,
      add column after jsonb,
      -- Rows of before this migration are as old as any: they are sealed first.
      add column xid xid8 not null default '0',
      -- The words of a row, for its search: cut off where a call named a thousand people.
      add column search_words tsvector not null generated always as (to_tsvector('simple', regexp_replace(
        lower(left(coalesce(actor_email, '') || ' ' || call || ' ' || coalesce(refused, '') || ' ' ||
          coalesce(address, '') || ' ' || detail::text || ' ' || coalesce(before::text, '') || ' ' ||
          coalesce(after::text, ''), 20000)), '[^[:alnum:]]+', ' ', 'g'))) stored;
    alter table audit alter column xid set default pg_current_xact_id();

    drop index audit_organisation;
    create index audit_organisation on audit (organisation_id, at, id);
    create index audit_organisation_call on audit (organisation_id, call, at, id);
    create index audit_time on audit (at, id);
    create index audit_person on audit (actor_email, at, id);
    create index audit_call on audit (call, at, id);
    create index audit_words on audit using gin (search_words);
    create index audit_xid on audit (xid, id);

    -- Each link: the place of a row, the hash of its content, and the hash of that and the link before.
    create table audit_seal (
      position bigint primary key check (position > 0),
      -- While its seal stands a row can't be taken away.
      audit_id bigint not null unique references audit (id),
      row_hash bytea not null check (length(row_hash) = 32),
      previous bytea not null unique check (length(previous) = 32),
      chain bytea not null unique,
      -- Each row of a transaction before this one has its seal.
      complete_below xid8 not null,
      sealed_at timestamptz not null default portal_now(),
      check (chain = sha256(previous || row_hash)),
      check ((position = 1) = (previous = decode(repeat('00', 32), 'hex')))
    );

    create table audit_head (
      position bigint primary key check (position > 0),
      chain bytea not null check (length(chain) = 32),
      signed_at timestamptz not null,
      public_key bytea not null check (length(public_key) = 32),
      signature bytea not null check (length(signature) = 64)
    );

    -- Rows that stand in a file now: the chain goes on from the last link there.
    create table audit_archive (
      last_position bigint primary key,
      first_position bigint not null unique check (first_position between 1 and last_position),
      chain bytea not null unique check (length(chain) = 32),
      file text not null,
      file_hash bytea not null check (length(file_hash) = 32),
      signed_at timestamptz not null,
      public_key bytea not null check (length(public_key) = 32),
      signature bytea not null check (length(signature) = 64)
    );

    create function keep_audit_a_year() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      if exists (select from audit where id = old.audit_id and at > portal_now() - interval '365 days') then
        raise exception 'Audit rows are kept for a year.';
      end if;
      return old;
    end $$;
    create trigger keep_audit_a_year before delete on audit_seal for each row execute function keep_audit_a_year();
  `.execute(db)
}
