-- The audit and its hash chain.

-- One row per change, written in the transaction of the change. Insert-only.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default portal_now(),
  request_id text not null,
  call text not null,
  actor_id uuid,
  actor_email text,
  actor_role text,
  organisation_id uuid,
  detail jsonb not null,
  -- IP address of the caller; null if the portal itself acted.
  address text,
  -- Code of the problem if the call was refused; null if it succeeded.
  refused text,
  before jsonb,
  after jsonb,
  -- Transaction that wrote the row. The hash chain uses it to detect rows of transactions that are still open.
  xid xid8 not null default pg_current_xact_id(),
  -- Words for the search, truncated for calls that name very many users.
  search_words tsvector generated always as (to_tsvector('simple'::regconfig,
    regexp_replace(lower("left"(((((((((((((coalesce(actor_email, '') || ' ') || call) || ' ') || coalesce(refused,
    '')) || ' ') || coalesce(address, '')) || ' ') || (detail)::text) || ' ') || coalesce((before)::text,
    '')) || ' ') || coalesce((after)::text, '')), 20000)), '[^[:alnum:]]+', ' ', 'g'))) stored not null
);
create index audit_call on audit (call, at, id);
create index audit_organisation on audit (organisation_id, at, id);
create index audit_organisation_call on audit (organisation_id, call, at, id);
create index audit_person on audit (actor_email, at, id);
create index audit_time on audit (at, id);
create index audit_words on audit using gin (search_words);
create index audit_xid on audit (xid, id);

-- Links of the hash chain. Each link contains the hash of an audit row and the hash of the previous link.
create table audit_seal (
  position bigint primary key check ("position" > 0),
  -- The foreign key prevents the deletion of an audit row while its seal exists.
  audit_id bigint not null unique references audit (id),
  row_hash bytea not null check (length(row_hash) = 32),
  previous bytea not null unique check (length(previous) = 32),
  chain bytea not null unique,
  -- All rows of earlier transactions have a seal.
  complete_below xid8 not null,
  sealed_at timestamptz not null default portal_now(),
  constraint audit_seal_check check (chain = sha256((previous || row_hash))),
  constraint audit_seal_check1 check (("position" = 1) = (previous = decode(repeat('00', 32), 'hex')))
);

-- Signed link. Without the signing key, no link up to this one can be forged.
create table audit_head (
  position bigint primary key check ("position" > 0),
  chain bytea not null check (length(chain) = 32),
  signed_at timestamptz not null,
  public_key bytea not null check (length(public_key) = 32),
  signature bytea not null check (length(signature) = 64)
);

-- Ranges of rows that were moved to a file. The chain continues from the last link in that file.
create table audit_archive (
  last_position bigint primary key,
  first_position bigint not null unique,
  -- The last link of the archive, from which the chain continues.
  chain bytea not null unique check (length(chain) = 32),
  file text not null,
  file_hash bytea not null check (length(file_hash) = 32),
  signed_at timestamptz not null,
  public_key bytea not null check (length(public_key) = 32),
  signature bytea not null check (length(signature) = 64),
  constraint audit_archive_check check (first_position >= 1 and first_position <= last_position)
);

-- Signed hash of an erased audit row. Only the database's owner writes this table.
create table audit_erasure (
  audit_id bigint primary key references audit (id) on delete cascade,
  row_hash bytea not null check (length(row_hash) = 32),
  erased_at timestamptz not null,
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
