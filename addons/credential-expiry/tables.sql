-- Credentials of the portal that will expire.

-- Secrets and certificates of the portal with their end, as a worker last read them.
create table expiring_credential (
  name text primary key check (name <> ''),
  ends_at timestamptz not null
);
