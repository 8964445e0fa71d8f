-- The hash chain of the audit.

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
