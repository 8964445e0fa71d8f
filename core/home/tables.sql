-- The newer version that the file of UPDATE_URL names, in at most one row.
create table update_notice (
  id boolean primary key default true check (id),
  version text not null,
  url text not null,
  seen_at timestamptz not null default portal_now()
);
